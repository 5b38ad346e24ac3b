//! Doubles as the decimals people read: written as JavaScript writes them, compared without rounding.

use bigdecimal::{BigDecimal, Zero};

/// What JavaScript's `String(number)` gives for a finite number.
pub(crate) fn to_text(number: f64) -> String {
    // JavaScript writes both zeros as "0"; ryu-js does too, but this is the rule, not a hope.
    let number = if number == 0.0 { 0.0 } else { number };
    ryu_js::Buffer::new().format_finite(number).to_owned()
}

/// A finite number in HTML's floating-point grammar: no `+`, no `5.`, no hex, no names.
pub(crate) fn parse(text: &str) -> Option<f64> {
    if !is_html_number(text) {
        return None;
    }
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Whether `number` lies a whole number of `step`s from `base`, exactly, in the decimals they are written in.
pub(crate) fn is_on_step(number: f64, base: f64, step: f64) -> bool {
    match (exact(number), exact(base), exact(step)) {
        (Some(number), Some(base), Some(step)) if !step.is_zero() => ((number - base) % step).is_zero(),
        _ => false,
    }
}

/// Where `number` goes in `count` steps of a grid, in exact decimals; between two steps, the first goes to the next of them.
pub(crate) fn walk(number: f64, count: i32, base: f64, step: f64) -> Option<f64> {
    let (number, base, step) = (exact(number)?, exact(base)?, exact(step)?);
    if step.is_zero() {
        return None;
    }
    let above = {
        let rest = (&number - &base) % &step;
        if rest < BigDecimal::zero() { rest + &step } else { rest }
    };
    let below = &number - &above;
    // Downwards from between two steps, the one below is the first.
    let count = if count < 0 && !above.is_zero() { count + 1 } else { count };
    (below + step * BigDecimal::from(count)).to_string().parse().ok().filter(|number: &f64| number.is_finite())
}

/// The decimal that the shortest written form denotes, so that 0.3 is three tenths.
fn exact(number: f64) -> Option<BigDecimal> {
    to_text(number).parse().ok()
}

fn is_html_number(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let mantissa_fits = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole.is_empty() || digits(whole)) && digits(fraction),
        None => digits(mantissa),
    };
    mantissa_fits && exponent.is_none_or(|exponent| digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    // F6
    #[test]
    fn numbers_are_written_as_javascript_writes_them() {
        for (number, text) in [
            (-0.0, "0"),
            (1e21, "1e+21"),
            (1e20, "100000000000000000000"),
            (1e-7, "1e-7"),
            (0.000_001, "0.000001"),
            (0.1 + 0.2, "0.30000000000000004"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
        ] {
            assert_eq!(to_text(number), text);
        }
    }

    // F6
    #[test]
    fn steps_are_exact_from_the_smallest_to_the_largest_double() {
        assert!(is_on_step(0.3, 0.0, 0.1));
        assert!(!is_on_step(0.1 + 0.2, 0.0, 0.1));
        assert!(is_on_step(1e308, 0.0, 0.1));
        assert!(is_on_step(1e308, -1e308, 5e-324));
        assert!(!is_on_step(1e308, 1e-9, 1.0));
        assert!(is_on_step(-0.7, 0.2, 0.3));
        assert!(is_on_step(1e300, 0.0, 1e299));
    }

    // F6
    #[test]
    fn steps_are_walked_without_rounding() {
        assert_eq!(walk(0.1, 2, 0.0, 0.1), Some(0.3));
        assert_eq!(walk(0.25, 1, 0.0, 0.1), Some(0.3));
        assert_eq!(walk(0.25, -1, 0.0, 0.1), Some(0.2));
        assert_eq!(walk(-0.25, -1, 0.0, 0.1), Some(-0.3));
        assert_eq!(walk(-0.25, 1, 0.0, 0.1), Some(-0.2));
        assert_eq!(walk(2.5, -1, 0.5, 2.0), Some(0.5));
        assert_eq!(walk(f64::MAX, 1, 0.0, f64::MAX), None);
    }

    proptest! {
        // F6
        #[test]
        fn every_walk_ends_on_a_step(number in -1e6f64..1e6, count in -5i32..=5, base in -100i32..100, tenths in 1u32..100) {
            let (base, step) = (f64::from(base) / 4.0, f64::from(tenths) / 10.0);
            prop_assume!(count != 0);
            let walked = walk(number, count, base, step).unwrap();
            prop_assert!(is_on_step(walked, base, step), "{walked}");
            prop_assert_eq!(walked > number, count > 0);
        }

        // F6
        #[test]
        fn what_is_written_is_read_back(number in proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL | proptest::num::f64::ZERO) {
            prop_assert_eq!(parse(&to_text(number)), Some(number));
        }
    }
}
