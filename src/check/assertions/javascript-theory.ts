/**
 * JavaScript values and operators for an SMT solver, as SMT-LIB 2.6 text.
 *
 * One sort holds every value, so nothing has to be guessed about types: what is unknown may be a text, NaN or -0. Operators
 * are defined where their result is certain and are uninterpreted elsewhere (order of texts, arithmetic with fractions,
 * conversion of texts and objects), which can lose a proof and never makes one. The one assumption: sums, differences
 * and products of whole numbers are exact, which holds below 2^53. A quotient of such numbers is exact if it is whole or a half,
 * and otherwise lies between the whole numbers around it, because rounding keeps order.
 *
 * Objects other than processes are known by what they hold, as messages are. Two that hold the same may or may not be the
 * same object, so `equal` takes a third input that says which.
 */

export const theory = `
(declare-datatypes ((Value 0)) ((
  (undefined_) (null_) (bool (truth Bool)) (whole (amount Int)) (minus_zero) (fraction (exact Real))
  (infinity (negative Bool)) (not_a_number) (text (letters Int)) (process (name Int)) (object (contents Int))
  (other (which Int)))))
(declare-fun other_holds (Int) Bool)
(declare-fun other_less (Value Value) Bool)
(declare-fun other_at_most (Value Value) Bool)
(declare-fun other_sum (Value Value) Value)
(declare-fun other_difference (Value Value) Value)
(declare-fun other_product (Value Value) Value)
(declare-fun other_quotient (Value Value) Value)
(declare-fun other_remainder (Value Value) Value)

(define-fun counts ((v Value)) Bool
  (or ((_ is whole) v) ((_ is minus_zero) v) ((_ is null_) v) ((_ is bool) v)))
(define-fun count ((v Value)) Int
  (ite ((_ is whole) v) (amount v) (ite (and ((_ is bool) v) (truth v)) 1 0)))
(define-fun finite ((v Value)) Bool (or (counts v) ((_ is fraction) v)))
(define-fun real ((v Value)) Real (ite ((_ is fraction) v) (exact v) (to_real (count v))))
(define-fun ordered ((v Value)) Bool (or (finite v) ((_ is infinity) v)))
(define-fun incomparable ((v Value)) Bool (or ((_ is not_a_number) v) ((_ is undefined_) v)))
(define-fun numeric ((v Value)) Bool (or (ordered v) (incomparable v)))
(define-fun is_number ((v Value)) Bool
  (or ((_ is whole) v) ((_ is minus_zero) v) ((_ is fraction) v) ((_ is infinity) v) ((_ is not_a_number) v)))
(define-fun well_formed ((v Value)) Bool (not (and ((_ is fraction) v) (is_int (exact v)))))
(define-fun below_zero ((v Value)) Bool (or ((_ is minus_zero) v) (< (count v) 0)))
(define-fun zero ((v Value)) Bool (or ((_ is minus_zero) v) (= v (whole 0))))
(define-fun signed ((n Int) (minus Bool)) Value (ite (and (= n 0) minus) minus_zero (whole n)))

(define-fun holds ((v Value)) Bool
  (ite ((_ is bool) v) (truth v)
  (ite ((_ is whole) v) (not (= (amount v) 0))
  (ite ((_ is text) v) (not (= (letters v) 0))
  (ite ((_ is other) v) (other_holds (which v))
  (not (or (incomparable v) ((_ is null_) v) ((_ is minus_zero) v))))))))

(define-fun equal ((a Value) (b Value) (same_object Bool)) Bool
  (ite (or ((_ is not_a_number) a) ((_ is not_a_number) b)) false
  (ite (= a b) (or same_object (not (or ((_ is object) a) ((_ is other) a))))
  (and (zero a) (zero b)))))

(define-fun less ((a Value) (b Value)) Bool
  (ite (and (counts a) (counts b)) (< (count a) (count b))
  (ite (or ((_ is other) a) ((_ is other) b)) (other_less a b)
  (ite (or (incomparable a) (incomparable b)) false
  (ite (and (finite a) (finite b)) (< (real a) (real b))
  (ite (and (ordered a) (ordered b))
    (ite ((_ is infinity) a) (and (negative a) (not (= a b))) (not (negative b)))
  (other_less a b)))))))
(define-fun at_most ((a Value) (b Value)) Bool
  (ite (and (counts a) (counts b)) (<= (count a) (count b))
  (ite (or ((_ is other) a) ((_ is other) b)) (other_at_most a b)
  (ite (or (incomparable a) (incomparable b)) false
  (ite (and (finite a) (finite b)) (<= (real a) (real b))
  (ite (and (ordered a) (ordered b))
    (ite ((_ is infinity) a) (or (negative a) (= a b)) (not (negative b)))
  (other_at_most a b)))))))

(define-fun sum ((a Value) (b Value)) Value
  (ite (and (counts a) (counts b))
    (signed (+ (count a) (count b)) (and ((_ is minus_zero) a) ((_ is minus_zero) b)))
  (ite (and (numeric a) (numeric b) (or (incomparable a) (incomparable b))) not_a_number (other_sum a b))))
(define-fun difference ((a Value) (b Value)) Value
  (ite (and (counts a) (counts b))
    (signed (- (count a) (count b)) (and ((_ is minus_zero) a) (not ((_ is minus_zero) b))))
  (ite (and (numeric a) (numeric b) (or (incomparable a) (incomparable b))) not_a_number (other_difference a b))))
(define-fun product ((a Value) (b Value)) Value
  (ite (and (counts a) (counts b))
    (signed (* (count a) (count b)) (xor (below_zero a) (below_zero b)))
  (ite (and (numeric a) (numeric b) (or (incomparable a) (incomparable b))) not_a_number (other_product a b))))
(define-fun quotient ((a Value) (b Value)) Value
  (ite (and (counts a) (counts b))
    (ite (= (count b) 0)
      (ite (= (count a) 0) not_a_number (infinity (xor (below_zero a) (below_zero b))))
    (ite (= (mod (count a) (count b)) 0)
      (signed (div (count a) (count b)) (xor (below_zero a) (below_zero b)))
    (ite (= (count b) 2) (fraction (/ (to_real (count a)) 2.0))
    (other_quotient a b))))
  (ite (and (numeric a) (numeric b) (or (incomparable a) (incomparable b))) not_a_number (other_quotient a b))))
(define-fun divided ((a Value) (b Value) (v Value)) Bool
  (=> (and (counts a) (counts b) (not (= (count b) 0)))
    (and (is_number v) (finite v)
      (let ((low (ite (> (count b) 0) (div (count a) (count b)) (- (div (count a) (count b)) 1))))
        (and (<= (to_real low) (real v)) (<= (real v) (to_real (+ low 1))))))))
(define-fun remainder ((a Value) (b Value)) Value
  (ite (and (counts a) (counts b))
    (ite (= (count b) 0) not_a_number
    (signed
      (ite (>= (count a) 0) (mod (count a) (abs (count b))) (- (mod (- (count a)) (abs (count b)))))
      (below_zero a)))
  (ite (and (numeric a) (numeric b) (or (incomparable a) (incomparable b))) not_a_number (other_remainder a b))))

(define-fun small ((v Value)) Bool (=> ((_ is whole) v) (and (< (amount v) 10) (< (- 10) (amount v)))))
(define-fun plain ((v Value)) Bool
  (not (or ((_ is minus_zero) v) ((_ is fraction) v) ((_ is infinity) v) ((_ is not_a_number) v) ((_ is other) v)
    (and ((_ is whole) v) (or (> (amount v) 9007199254740991) (< (amount v) (- 9007199254740991)))))))
`

/** SMT function of a binary operator, with its inputs in the order it takes them. */
export const binaryFunctions: ReadonlyMap<string, { readonly name: string; readonly isSwapped: boolean }> = new Map([
  ['<', { name: 'less', isSwapped: false }],
  ['<=', { name: 'at_most', isSwapped: false }],
  ['>', { name: 'less', isSwapped: true }],
  ['>=', { name: 'at_most', isSwapped: true }],
  ['+', { name: 'sum', isSwapped: false }],
  ['-', { name: 'difference', isSwapped: false }],
  ['*', { name: 'product', isSwapped: false }],
  ['/', { name: 'quotient', isSwapped: false }],
  ['%', { name: 'remainder', isSwapped: false }],
])

export function isArithmetic(operator: string): boolean {
  return ['+', '-', '*', '/', '%'].includes(operator)
}

export function isOrder(operator: string): boolean {
  return ['<', '<=', '>', '>='].includes(operator)
}
