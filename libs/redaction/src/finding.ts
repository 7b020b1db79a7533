import { PersonalKind } from '@parlance/contracts';

export const personalKinds: readonly PersonalKind[] = PersonalKind.options;

/** Offsets in UTF-16 code units, the end exclusive. */
export interface Finding {
  readonly kind: PersonalKind;
  readonly start: number;
  readonly end: number;
}

export interface SearchContext {
  /** BCP 47. Number words are known in English and German, figures everywhere. */
  readonly language: string;
  /** IANA zone: its country is that of national telephone numbers when the language has no region. */
  readonly timezone: string;
}
