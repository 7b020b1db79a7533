// Words for the faults that zod finds in a value. Sentences that the contract itself gives are kept.
import { formStrings as strings } from '../strings/forms.js';

/** The part of an issue of zod that the words depend on. */
export interface RawIssue {
  readonly code: string;
  readonly origin?: unknown;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly format?: unknown;
  readonly input?: unknown;
}

const tooSmall = ({ origin, minimum }: RawIssue): string => {
  if (origin === 'string') return strings.tooShort(Number(minimum));
  return origin === 'array' ? strings.tooFew(Number(minimum)) : strings.tooSmall(Number(minimum));
};
const tooBig = ({ origin, maximum }: RawIssue): string => {
  if (origin === 'string') return strings.tooLong(Number(maximum));
  return origin === 'array' ? strings.tooMany(Number(maximum)) : strings.tooLarge(Number(maximum));
};
const wrongFormat = ({ format }: RawIssue): string => {
  if (format === 'email') return strings.badEmail;
  return format === 'url' ? strings.badUrl : strings.badFormat;
};

/** A sentence for one issue. */
export const wordsOf = (issue: RawIssue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined || issue.input === null ? strings.required : strings.badValue;
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return tooBig(issue);
    case 'invalid_format':
      return wrongFormat(issue);
    case 'invalid_value':
    case 'invalid_union':
      return strings.badChoice;
    default:
      return strings.badValue;
  }
};
