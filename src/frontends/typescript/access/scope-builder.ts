/** Finds the variables of a file: where each name is declared, and which declaration every use of it means. */
import type { ArrowFunctionExpression, CatchClause, Class, Function as FunctionNode, Node, Program } from 'oxc-parser'
import { isClass, isFunction } from '../syntax.ts'
import { type Binding, type Bindings, decideBoxes, LexicalScope, Region } from './bindings.ts'
import { add, declareLexical, declareNames, declareVars, namesIn } from './scope-declarations.ts'
import { assignedTargets, declaredNames, type Identifier, isTypeOnly, valueChildren } from './tree.ts'

export function bindingsOf(program: Program): Bindings {
  const builder = new ScopeBuilder(program)
  builder.build(program)
  decideBoxes(builder.allScopes)
  return builder
}

class ScopeBuilder implements Bindings {
  readonly resolved = new Map<Node, Binding>()
  readonly regions = new Map<Node, Region>()
  readonly plainRegions = new Map<Node, Region>()
  readonly scopes = new Map<Node, LexicalScope>()
  /** Outer ones before inner ones. */
  readonly allScopes: LexicalScope[] = []
  readonly moduleScope: LexicalScope
  #scope: LexicalScope

  constructor(program: Program) {
    const region = new Region('module', program, undefined)
    this.regions.set(program, region)
    this.moduleScope = new LexicalScope('module', program, region, undefined)
    this.scopes.set(program, this.moduleScope)
    this.allScopes.push(this.moduleScope)
    this.#scope = this.moduleScope
  }

  build(program: Program): void {
    declareVars(this.#scope, program.body)
    declareLexical(this.#scope, program.body)
    this.#visitAll(program.body)
  }

  #visitAll(nodes: Iterable<Node | null>): void {
    for (const node of nodes) if (node !== null) this.#visit(node)
  }

  #visit(node: Node): void {
    if (isTypeOnly(node)) return
    if (isFunction(node)) this.#visitFunction(node, node.type === 'ArrowFunctionExpression' ? 'arrow' : 'function')
    else if (isClass(node)) this.#visitClass(node)
    else if (!this.#visitName(node) && !this.#visitScope(node) && !this.#visitAssignment(node)) {
      this.#visitAll(valueChildren(node))
    }
  }

  /** Names, and nodes with names that are not variables. */
  #visitName(node: Node): boolean {
    switch (node.type) {
      case 'Identifier':
        this.#refer(node as Identifier)
        return true
      case 'ThisExpression':
        this.#useThis()
        return true
      case 'MemberExpression':
        this.#visit(node.object)
        if (node.computed) this.#visit(node.property)
        return true
      case 'Property':
        if (node.computed) this.#visit(node.key)
        this.#visit(node.value)
        return true
      case 'LabeledStatement':
        this.#visit(node.body)
        return true
      case 'TSEnumMember':
        if (node.initializer !== null) this.#visit(node.initializer)
        return true
      case 'ExportSpecifier':
        if (node.local.type === 'Identifier') this.#export(node.local.name)
        return true
      case 'BreakStatement':
      case 'ContinueStatement':
      case 'MetaProperty':
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
      case 'JSXIdentifier':
        return true
      default:
        return false
    }
  }

  #visitScope(node: Node): boolean {
    switch (node.type) {
      case 'BlockStatement':
      case 'StaticBlock':
        this.#within(new LexicalScope('block', node, this.#scope.region, this.#scope), node, () => {
          declareLexical(this.#scope, node.body)
          this.#visitAll(node.body)
        })
        return true
      case 'SwitchStatement': {
        this.#visit(node.discriminant)
        const statements = node.cases.flatMap(({ consequent }) => consequent)
        this.#within(new LexicalScope('switch', node, this.#scope.region, this.#scope), node, () => {
          declareLexical(this.#scope, statements)
          for (const { test } of node.cases) if (test !== null) this.#visit(test)
          this.#visitAll(statements)
        })
        return true
      }
      case 'ForStatement':
      case 'ForInStatement':
      case 'ForOfStatement':
        this.#visitFor(node)
        return true
      case 'CatchClause':
        this.#visitCatch(node)
        return true
      default:
        return false
    }
  }

  #visitFor(node: Extract<Node, { type: 'ForStatement' | 'ForInStatement' | 'ForOfStatement' }>): void {
    const head = node.type === 'ForStatement' ? node.init : node.left
    this.#within(new LexicalScope('for', node, this.#scope.region, this.#scope), node, () => {
      if (head?.type === 'VariableDeclaration') declareLexical(this.#scope, [head])
      else if (head !== null && node.type !== 'ForStatement') this.#assign(head)
      this.#visitAll(valueChildren(node))
    })
  }

  #visitCatch(node: CatchClause): void {
    this.#within(new LexicalScope('block', node, this.#scope.region, this.#scope), node, () => {
      if (node.param !== null) {
        declareNames(this.#scope, 'catch', node.param)
        this.#visitPattern(node.param)
      }
      this.#visit(node.body)
    })
  }

  #visitAssignment(node: Node): boolean {
    switch (node.type) {
      case 'AssignmentExpression':
        this.#assign(node.left)
        break
      case 'UpdateExpression':
        this.#assign(node.argument)
        break
      case 'VariableDeclaration':
        for (const { id, init } of node.declarations) {
          if (node.kind === 'var' && init !== null) this.#assign(id)
          this.#visitPattern(id)
          if (init !== null) this.#visit(init)
        }
        return true
      case 'ExportNamedDeclaration':
        if (node.declaration !== null && 'id' in node.declaration && node.declaration.id?.type === 'Identifier') {
          this.#export(node.declaration.id.name)
        }
        if (node.declaration?.type === 'VariableDeclaration') {
          for (const { id } of node.declaration.declarations)
            for (const { name } of declaredNames(id)) this.#export(name)
        }
        if (node.source !== null) return true
        break
      default:
        return false
    }
    this.#visitAll(valueChildren(node))
    return true
  }

  /** Declared names stand for their variables; the rest of a pattern is evaluated. */
  #visitPattern(pattern: Node): void {
    for (const identifier of declaredNames(pattern)) {
      const binding = this.#scope.lookup(identifier.name)
      if (binding !== undefined) this.resolved.set(identifier, binding)
    }
    this.#visitDefaults(pattern)
  }

  #visitDefaults(pattern: Node): void {
    if (pattern.type === 'Identifier') return
    if (pattern.type === 'AssignmentPattern') {
      this.#visitDefaults(pattern.left)
      this.#visit(pattern.right)
    } else if (pattern.type === 'Property') {
      if (pattern.computed) this.#visit(pattern.key)
      this.#visitDefaults(pattern.value)
    } else for (const child of valueChildren(pattern)) this.#visitDefaults(child)
  }

  #visitFunction(node: FunctionNode | ArrowFunctionExpression, kind: 'arrow' | 'function' | 'plain'): void {
    if (node.body === null) return
    if (node.type === 'FunctionExpression' && node.id !== null) {
      const own = new LexicalScope('block', node, this.#scope.region, this.#scope)
      this.#within(own, undefined, () => {
        this.#declareOwn(node)
        this.#visitBody(node, kind)
      })
    } else this.#visitBody(node, kind)
  }

  #visitBody(node: FunctionNode | ArrowFunctionExpression, kind: 'arrow' | 'function' | 'plain'): void {
    const region = new Region(kind, node, this.#scope.region)
    if (node.type === 'FunctionDeclaration' && node.id !== null) {
      region.declared = this.#scope.lookup(node.id.name)
      if (region.declared !== undefined) this.resolved.set(node.id, region.declared)
    }
    this.regions.set(node, region)
    this.#within(new LexicalScope('function', node, region, this.#scope), node, () => {
      for (const parameter of node.params) declareNames(this.#scope, 'parameter', parameter)
      if (node.body?.type === 'BlockStatement') declareVars(this.#scope, node.body.body)
      for (const parameter of node.params) this.#visitPattern(parameter)
      if (node.body === null) return
      this.#visit(node.body)
      const body = this.scopes.get(node.body)
      if (body !== undefined && node.body.type === 'BlockStatement') body.mentionedBefore = namesIn(node.params)
    })
  }

  #visitClass(node: Class): void {
    if (node.type === 'ClassDeclaration' && node.id !== null) {
      const binding = this.#scope.lookup(node.id.name)
      if (binding !== undefined) this.resolved.set(node.id, binding)
    }
    const own = new LexicalScope('block', node, this.#scope.region, this.#scope)
    this.#within(own, undefined, () => {
      if (node.type === 'ClassExpression' && node.id !== null) this.#declareOwn(node)
      if (node.superClass !== null) this.#visit(node.superClass)
      const region = new Region('class', node, own.region)
      this.regions.set(node, region)
      for (const member of node.body.body) {
        if ('key' in member && member.computed) this.#visit(member.key)
        this.#within(new LexicalScope('class', node, region, own), undefined, () => this.#visitMember(member))
      }
    })
  }

  #visitMember(member: Class['body']['body'][number]): void {
    switch (member.type) {
      case 'MethodDefinition':
        this.#visitFunction(member.value, member.kind === 'constructor' ? 'plain' : 'function')
        return
      case 'PropertyDefinition':
        if (member.value !== null && member.declare !== true) this.#visitPlain(member.value)
        return
      case 'StaticBlock':
        this.#visitPlain(member)
        return
      default:
        return
    }
  }

  /** Values of fields and static blocks. */
  #visitPlain(node: Node): void {
    const region = new Region('plain', node, this.#scope.region)
    this.plainRegions.set(node, region)
    this.#within(new LexicalScope('function', node, region, this.#scope), undefined, () => {
      if (node.type === 'StaticBlock') declareVars(this.#scope, node.body)
      this.#visit(node)
    })
  }

  #refer(identifier: Identifier): void {
    const binding = this.#scope.lookup(identifier.name) ?? this.#implicit(identifier)
    if (binding === undefined) return
    this.resolved.set(identifier, binding)
    const { own } = binding
    if (own === undefined || identifier.start < own.start || identifier.start >= own.end) {
      binding.firstUse = Math.min(binding.firstUse, identifier.start)
    }
    for (let { region } = this.#scope; region !== binding.scope.region; ) {
      region.free.add(binding)
      if (region.parent === undefined) break
      if (region.parent === binding.scope.region) binding.users.add(region)
      region = region.parent
    }
  }

  /** `arguments` belongs to the nearest function that is not an arrow. */
  #implicit(identifier: Identifier): Binding | undefined {
    if (identifier.name !== 'arguments') return undefined
    for (let scope: LexicalScope | undefined = this.#scope; scope !== undefined; scope = scope.parent) {
      if (scope.kind === 'function' && isFunction(scope.region.node) && scope.region.kind !== 'arrow') {
        return add(scope, 'arguments', { name: 'arguments', start: scope.start })
      }
    }
    return undefined
  }

  #useThis(): void {
    let { region } = this.#scope
    const innermost = region
    while (region.kind === 'arrow' && region.parent !== undefined) {
      region.usesThis = true
      region = region.parent
    }
    if (region !== innermost) region.lendsThis = true
  }

  #assign(target: Node): void {
    for (const assigned of assignedTargets(target)) {
      if (assigned.type !== 'Identifier') continue
      const binding = this.#scope.lookup(assigned.name)
      if (binding !== undefined) binding.assigned = true
    }
  }

  #export(name: string): void {
    const binding = this.moduleScope.bindings.get(name)
    if (binding !== undefined) binding.isExported = true
  }

  #declareOwn(node: FunctionNode | Class): void {
    if (node.id === null) return
    const binding = add(this.#scope, 'self', node.id)
    binding.own = node
    this.resolved.set(node.id, binding)
  }

  #within(scope: LexicalScope, node: Node | undefined, body: () => void): void {
    const outer = this.#scope
    if (node !== undefined) this.scopes.set(node, scope)
    this.allScopes.push(scope)
    this.#scope = scope
    body()
    this.#scope = outer
  }
}
