// The findings of zod in the words of the interface: the path, the rule and a sentence. Never the value.
import { AppError, type ErrorCode, type Issue, isErrorCode, validationError } from '@parlance/errors';
import type { z } from 'zod';

type ZodIssue = z.core.$ZodIssue;

/** Enough to mend a request; a body with a thousand mistakes is not mended by reading all of them. */
const shownIssues = 50;
/** Longest piece of a key that an issue repeats; keys come from the request. */
const shownKeyLength = 64;

const segment = (part: PropertyKey): string => String(part).slice(0, shownKeyLength);

const pathOf = (root: string, path: readonly PropertyKey[]): string => [root, ...path.map(segment)].join('.');

const sentence = (issue: ZodIssue): string => {
  const isMissing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
  return isMissing ? 'is required' : issue.message;
};

const toIssues = (root: string, issue: ZodIssue): readonly Issue[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => ({
        path: pathOf(root, [...issue.path, key]),
        code: issue.code,
        message: 'is not a known field',
      }))
    : [{ path: pathOf(root, issue.path), code: issue.code, message: sentence(issue) }];

/** The code that a schema's own rule asks for instead of VALIDATION_ERROR. */
const codeOf = (issue: ZodIssue): ErrorCode | undefined => {
  const code: unknown = issue.code === 'custom' ? issue.params?.code : undefined;
  return isErrorCode(code) ? code : undefined;
};

export interface Findings {
  /** `params`, `query` or `body`. */
  readonly root: string;
  readonly issues: readonly ZodIssue[];
}

/** One error for all that is wrong with a request. */
export const validationFailure = (findings: readonly Findings[]): AppError => {
  const issues = findings.flatMap(({ root, issues: found }) =>
    found.flatMap((issue) => toIssues(root, issue)),
  );
  const shown = issues.slice(0, shownIssues);
  const own = findings.flatMap(({ issues: found }) => found.flatMap((issue) => codeOf(issue) ?? []));
  return own[0] === undefined ? validationError(shown) : new AppError(own[0], { details: { issues: shown } });
};
