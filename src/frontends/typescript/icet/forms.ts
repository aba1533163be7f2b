/**
 * How every form of TypeScript is read, in one table that the translation asks and the guide shows. A form that is not in it does not
 * compile here, and is refused where a program has it.
 */
import type { Node } from 'oxc-parser'
import { isConversion, isPlainLiteral } from './names.ts'
import { type Complaint, outside } from './refusal.ts'

export interface Form {
  /** As the guide calls it. */
  readonly words: string
  /** With its meaning in JavaScript; as a computation, of which only inputs and outcome are known; or not at all. */
  readonly reading: 'exact' | 'computed' | 'refused'
  /** What else is said of it; of what is refused, what to write instead. */
  readonly says: string
  /** May be part of a computation. */
  readonly computes: boolean
  /** Evaluates each of its parts once, from left to right, so that operations in them happen before it. */
  readonly inOrder: boolean
}

const form = (reading: Form['reading'], words: string, says: string, traits = ''): Form => {
  return { reading, words, says, computes: traits.includes('computes'), inOrder: traits.includes('in order') }
}
const exact = (words: string, says = '') => form('exact', words, says, 'computes')
const ordered = (words: string, says = '') => form('exact', words, says, 'computes, in order')
const refused = (words: string, hint: string) => form('refused', words, hint)

const asFunction = 'write functions and plain objects'
const asStatement = 'write it outside all functions of the process'

/** Values and statements. */
const forms = {
  ArrayExpression: ordered('`[a, b]`', 'with `...` a computation'),
  ArrowFunctionExpression: exact(
    'functions',
    'put in where they are called; `this`, `arguments` and rest parameters are refused',
  ),
  AssignmentExpression: ordered('`x = e`, `x += e`, `x ??= e`', 'fields of objects: see objects'),
  AwaitExpression: exact('`await`', 'of operations and of functions of the program'),
  BinaryExpression: ordered(
    'operators of two sides',
    '`==` only with `null` or `undefined`; `in` and `instanceof` are refused; `**` and bits are computations',
  ),
  BlockStatement: exact('blocks'),
  BreakStatement: exact('`break`', 'out of loops and `switch`; the rounds left of a counted loop do nothing'),
  CallExpression: ordered('calls', 'of operations, functions of the program, and the methods and globals below'),
  ChainExpression: form('computed', '`a?.b`', 'without operations inside', 'computes'),
  ConditionalExpression: exact('`a ? b : c`', 'operations happen only in the part that is evaluated'),
  ContinueStatement: exact('`continue`'),
  DebuggerStatement: exact('`debugger`', 'does nothing'),
  DoWhileStatement: exact('`do … while`'),
  EmptyStatement: exact('`;`'),
  ExpressionStatement: ordered('expressions as statements'),
  ForInStatement: form('computed', '`for … in`', 'without operations inside', 'computes'),
  ForOfStatement: exact(
    '`for … of`',
    'over a set of processes or a list that is written down; over other values as a computation',
  ),
  ForStatement: exact('`for (;;)`', 'counted if it counts by 1 and its body does not assign the index'),
  FunctionDeclaration: exact('function declarations'),
  FunctionExpression: exact('function expressions'),
  Identifier: exact('names', 'of variables, functions, parameters and the globals below'),
  IfStatement: exact('`if`'),
  Literal: exact('literals', 'regular expressions and bigints are refused'),
  LogicalExpression: exact('`&&`, `||`, `??`', 'operations happen only if the right side is evaluated'),
  MemberExpression: ordered(
    '`a.b`',
    '`a[b]` with a computed key is a computation; `all[i]`, where `i` counts all members of a set, is the member',
  ),
  NewExpression: form('computed', '`new`', 'of `Map`, `Set`, `Array` and errors', 'computes, in order'),
  ObjectExpression: ordered(
    '`{ a, b: c }`',
    'with unknown parts a computation; getters, setters and conversions are refused',
  ),
  ParenthesizedExpression: ordered('parentheses'),
  ReturnStatement: exact('`return`'),
  SequenceExpression: exact('`a, b`'),
  SwitchStatement: exact('`switch`', 'every case that has a body leaves; cases only name values'),
  TemplateLiteral: form('computed', 'template strings', 'without parts a literal', 'computes, in order'),
  ThrowStatement: form('exact', '`throw`', 'a failure, in the process or a function it calls'),
  UnaryExpression: ordered('`!a`, `-a`, `typeof a`, `void a`', '`delete`: see objects'),
  UpdateExpression: exact('`x++`, `--x`'),
  VariableDeclaration: exact(
    '`const`, `let`',
    'also of fields, `const { a } = …`, without defaults; `var` only where it means the same; `using` is refused',
  ),
  WhileStatement: exact('`while`'),
  YieldExpression: exact('`yield*`', 'of operations and of functions of the program; `yield` alone is refused'),
  TSAsExpression: ordered('`a as T`'),
  TSInstantiationExpression: ordered('`f<T>`'),
  TSNonNullExpression: ordered('`a!`'),
  TSSatisfiesExpression: ordered('`a satisfies T`'),
  TSTypeAssertion: ordered('`<T>a`'),
  ClassDeclaration: refused('a class', asFunction),
  ClassExpression: refused('a class', asFunction),
  ImportExpression: refused('`import(…)`', 'import at the beginning of the file'),
  LabeledStatement: { ...refused('a label', 'put the inner loop into a function, and return from it'), computes: true },
  MetaProperty: refused('`import.meta`, `new.target`', 'pass what the process needs as arguments'),
  Super: refused('`super`', asFunction),
  TaggedTemplateExpression: refused('a tagged template', 'call the function: f(…)'),
  ThisExpression: refused('`this`', 'pass what the process needs as arguments'),
  TryStatement: refused(
    '`try`',
    'nothing a process does throws; test conditions with if, and use assert(…) for what must hold',
  ),
  TSEnumDeclaration: refused('an enum inside a process', asStatement),
  TSImportEqualsDeclaration: refused('`import a = …`', 'write import … from …'),
  TSModuleDeclaration: refused('a namespace', 'use a module of its own'),
  V8IntrinsicExpression: refused('an intrinsic of the engine', 'write TypeScript'),
  WithStatement: refused('`with`', 'name the object'),
} satisfies { readonly [type in Node['type']]?: Form }

/** Parts of the forms above, which stand for themselves nowhere. */
const parts = [
  'ArrayPattern AssignmentPattern Hashbang ObjectPattern Program Property RestElement SpreadElement SwitchCase TemplateElement',
  'VariableDeclarator TSEnumBody TSEnumMember',
] as const

/** Parts of forms that are refused, or of a module outside its processes. */
const outsideParts = [
  'CatchClause ClassBody Decorator PrivateIdentifier StaticBlock AccessorProperty MethodDefinition PropertyDefinition',
  'ExportAllDeclaration ExportDefaultDeclaration ExportNamedDeclaration ExportSpecifier ImportAttribute ImportDeclaration',
  'ImportDefaultSpecifier ImportNamespaceSpecifier ImportSpecifier TSExportAssignment TSModuleBlock TSParameterProperty',
  'TSExternalModuleReference TSNamespaceExportDeclaration JSXAttribute JSXClosingElement JSXClosingFragment JSXElement',
  'JSXEmptyExpression JSXExpressionContainer JSXFragment JSXIdentifier JSXMemberExpression JSXNamespacedName JSXOpeningElement',
  'JSXOpeningFragment JSXSpreadAttribute JSXSpreadChild JSXText TSAbstractAccessorProperty TSAbstractMethodDefinition',
  'TSAbstractPropertyDefinition TSEmptyBodyFunctionExpression',
] as const

/** Nothing is left of them when a program runs. */
const types = [
  'TSAnyKeyword TSArrayType TSBigIntKeyword TSBooleanKeyword TSCallSignatureDeclaration TSClassImplements TSConditionalType',
  'TSConstructSignatureDeclaration TSConstructorType TSDeclareFunction TSFunctionType TSImportType TSIndexSignature',
  'TSIndexedAccessType TSInferType TSInterfaceBody TSInterfaceDeclaration TSInterfaceHeritage TSIntersectionType',
  'TSIntrinsicKeyword TSJSDocNonNullableType TSJSDocNullableType TSJSDocUnknownType TSLiteralType TSMappedType',
  'TSMethodSignature TSNamedTupleMember TSNeverKeyword TSNullKeyword TSNumberKeyword TSObjectKeyword TSOptionalType',
  'TSParenthesizedType TSPropertySignature TSQualifiedName TSRestType TSStringKeyword TSSymbolKeyword TSTemplateLiteralType',
  'TSThisType TSTupleType TSTypeAliasDeclaration TSTypeAnnotation TSTypeLiteral TSTypeOperator TSTypeParameter',
  'TSTypeParameterDeclaration TSTypeParameterInstantiation TSTypePredicate TSTypeQuery TSTypeReference TSUndefinedKeyword',
  'TSUnionType TSUnknownKeyword TSVoidKeyword',
] as const

type Words<Text> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text
type Listed =
  | keyof typeof forms
  | Words<(typeof parts)[number] | (typeof outsideParts)[number] | (typeof types)[number]>

/** Fails to compile when the parser knows a form that no list has. */
const unlisted: { readonly [type in Exclude<Node['type'], Listed>]: Form } = {}

const part = form('exact', 'a part of another form', '', 'computes, in order')
const table: { readonly [type: string]: Form | undefined } = {
  ...unlisted,
  ...Object.fromEntries(wordsOf(parts).map((type) => [type, part])),
  ...Object.fromEntries(wordsOf(outsideParts).map((type) => [type, refused('this form', asFunction)])),
  ...forms,
}

function wordsOf(lists: readonly string[]): readonly string[] {
  return lists.flatMap((list) => list.split(' '))
}

export function formOf({ type }: Node): Form {
  return table[type] ?? refused(`the form ${type}`, 'write it in another way')
}

export function notRead(node: Node): Complaint {
  const { words, says, reading } = formOf(node)
  return outside(words.replaceAll('`', ''), reading === 'refused' ? says : 'compute it in a function outside')
}

/** All that are told apart: for the guide, and for the test that there are no others. */
export const readForms: readonly Form[] = Object.values(forms)
export const knownTypes: readonly string[] = [...Object.keys(table), ...wordsOf(types)]

/** What the form alone does not tell. */
export function refusedInside(node: Node): string | undefined {
  switch (node.type) {
    case 'BinaryExpression':
      return node.operator === 'in' || node.operator === 'instanceof' ? node.operator : undefined
    case 'Literal':
      return isPlainLiteral(node) ? undefined : 'a regular expression or bigint'
    case 'Property':
      return node.kind !== 'init' || isConversion(node) ? 'an object that acts when it is read or converted' : undefined
    case 'VariableDeclaration':
      return node.kind === 'const' || node.kind === 'let' ? undefined : node.kind
    case 'ForOfStatement':
      return node.await ? 'for await' : undefined
    default:
      return undefined
  }
}
