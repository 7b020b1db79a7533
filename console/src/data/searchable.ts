/** A search of calls that the platform would refuse is not asked: fewer than three digits and no word. */
export const isSearchable = (text: string): boolean =>
  text !== '' && (!/^[+\d\s().\-/]*$/.test(text) || text.replaceAll(/\D/g, '').length >= 3);
