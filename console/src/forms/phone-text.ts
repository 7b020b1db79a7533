// Telephone numbers as people paste them. Pure.

/** A number as the contract takes it, from one such as `+1 (415) 555-0100` or in full-width digits; an extension stays. */
export const compactNumber = (number: string): string =>
  number
    .replaceAll(/[\uff01-\uff5e]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0))
    .replaceAll(/[\s\p{Cf}\p{Pd}().\-/]/gu, '');
