//! Exact integers against 128-bit ones and known values.

use crate::naive;

use burnside_perm::Natural;
use naive::Dice;

fn samples() -> Vec<u128> {
    let mut dice = Dice(6);
    let mut values =
        vec![0, 1, 2, 10, u64::MAX.into(), 1 << 64, (1 << 64) + 1, u128::MAX, u128::MAX - 1, 1 << 127];
    for _ in 0..60 {
        let raw = (0..5).fold(0u128, |value, _| value << 31 ^ dice.below(1 << 31) as u128);
        values.push(raw >> dice.below(128));
    }
    values
}

#[test]
fn agrees_with_128_bits() {
    for &a in &samples() {
        let x = Natural::from(a);
        assert_eq!((x.to_u128(), x.to_string()), (Some(a), a.to_string()));
        assert_eq!(x.bits(), u64::from(128 - a.leading_zeros()));
        for &b in &samples() {
            let y = Natural::from(b);
            assert_eq!((x.cmp(&y), x == y), (a.cmp(&b), a == b));
            assert_eq!(x.checked_sub(&y).map(|d| d.to_u128()), a.checked_sub(b).map(Some));
            if let Some(sum) = a.checked_add(b) {
                assert_eq!((&x + &y).to_u128(), Some(sum));
            }
            if let Some(product) = a.checked_mul(b) {
                assert_eq!((&x * &y).to_u128(), Some(product));
            }
            if let Some(expected) = a.checked_div(b) {
                let (quotient, rest) = x.div_rem(&y);
                assert_eq!((quotient.to_u128(), rest.to_u128()), (Some(expected), Some(a % b)));
            }
        }
    }
}

#[test]
fn long_divisions_undo_products() {
    let values: Vec<Natural> = samples().into_iter().map(Natural::from).collect();
    for triple in values.windows(3) {
        let (big, divisor) = (&(&triple[0] * &triple[1]) * &triple[2], &triple[1] * &triple[2]);
        if divisor.is_zero() {
            continue;
        }
        assert_eq!(big.exact_div(&divisor), triple[0]);
        let more = &big + &triple[1];
        let (quotient, rest) = more.div_rem(&divisor);
        assert!(rest < divisor);
        assert_eq!(&(&quotient * &divisor) + &rest, more);
    }
    // The digit that is guessed one too large.
    let radix = Natural::from(1u128 << 64);
    let (high, low) = (Natural::from(1u64 << 63), Natural::from(u64::MAX));
    let dividend = &(&high * &radix.pow(3)) + &(&low * &radix);
    let divisor = &(&high * &radix.pow(2)) + &low;
    let (quotient, rest) = dividend.div_rem(&divisor);
    assert_eq!(&(&quotient * &divisor) + &rest, dividend);
    assert!(rest < divisor);
}

#[test]
fn small_operations() {
    for &a in &samples() {
        for small in [1, 2, 7, 1 << 40, u64::MAX] {
            let mut x = Natural::from(a);
            assert_eq!(x.rem_small(small), (a % u128::from(small)) as u64);
            x.mul_small(small);
            x.add_small(small - 1);
            assert_eq!((x.div_small(small), x.to_u128()), (small - 1, Some(a)));
        }
    }
    let mut carried = Natural::from(u128::MAX);
    carried.add_small(1);
    assert_eq!(carried, Natural::from(2u64).pow(128));
    assert_eq!(carried.to_f64(), 2f64.powi(128));
    assert_eq!(format!("{:>5}|{:03}", Natural::from(12u64), Natural::ZERO), "   12|000");
}

#[test]
fn factorials_and_multinomials() {
    let hundred = "93326215443944152681699238856266700490715968264381621468592963895217599993229915608941463976156518286253697920827223758251185210916864000000000000000000000000";
    assert_eq!(Natural::factorial(100).to_string(), hundred);
    let mut factorial = Natural::one();
    for n in 0..300u64 {
        factorial.mul_small(n.max(1));
        assert_eq!(Natural::factorial(n), factorial);
    }
    for parts in [vec![], vec![5], vec![0, 3], vec![2, 3, 4], vec![30, 1, 70], vec![100; 5]] {
        let below: Natural = parts.iter().map(|&part| Natural::factorial(part)).product();
        assert_eq!(&Natural::multinomial(&parts) * &below, Natural::factorial(parts.iter().sum()));
    }
    let total: Natural = (0..=200).map(|k| Natural::multinomial(&[k, 200 - k])).sum();
    assert_eq!(total, Natural::from(2u64).pow(200));
    assert_eq!(Natural::factorial(4_000).to_string().len(), 12_674);
}

#[test]
fn ratios_of_factorials() {
    for (above, below) in
        [(vec![6, 4], vec![3, 3, 2, 2]), (vec![10], vec![9, 1, 0]), (vec![5], vec![]), (vec![], vec![1])]
    {
        let product = |sizes: &[u64]| sizes.iter().map(|&n| Natural::factorial(n)).product::<Natural>();
        assert_eq!(Natural::factorial_ratio(&above, &below), product(&above).exact_div(&product(&below)));
    }
    // The factorials have eighteen million bits each.
    assert_eq!(Natural::factorial_ratio(&[1_000_000], &[999_999]), Natural::from(1_000_000u64));
    for n in [2u64, 10, 100, 5_000] {
        let (bits, about) = (Natural::factorial(n).bits() as f64, Natural::factorial_bits(n));
        assert!(about <= bits && bits - about < 10.0, "{n}: {about} for {bits}");
    }
}

/// Against sums of logarithms.
#[test]
fn logarithms_of_factorials() {
    let mut sum = 0.0;
    for n in 0..200u64 {
        sum += (n.max(1) as f64).log2();
        assert!((Natural::factorial_bits(n) - sum).abs() < 1e-3, "{n}");
    }
}
