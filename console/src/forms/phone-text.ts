// Telephone numbers as people paste them. Pure.

/** Numbers are pasted as people write them: `+1 (415) 555-0100`, and in full-width digits. What is more than a number stays. */
export const compactNumber = (number: string): string =>
  number
    .replaceAll(/[\uff01-\uff5e]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0))
    .replaceAll(/[\s\p{Cf}\p{Pd}().\-/]/gu, '');
