// The shape of one row of the /auth/* door. Routing, validation, access, limits, revocations and documentation are
// folds over these rows, so a path that no row names does not exist.
import type { ErrorCode } from '@parlance/errors';
import { z } from 'zod';
import type { MembershipChange } from '../events/gateway.js';
import { name, text, uuid } from '../values/text.js';

/** The callers that may use a row. A person is signed in; an owner or admin is one of the active organization. */
export type AuthAccess = 'anybody' | 'person' | 'ownerOrAdmin';

/**
 * The owner of the secret that a row could be used to guess; it decides the counts that an attempt goes into.
 * `email`: the account with the address in the body. `person`: the person who is signed in. `none`: a token stands for
 * its account by itself, so only the address of the client counts. `newcomer`: a sign-up, counted by address and account,
 * the successful ones too.
 */
export type GuessedAt = 'email' | 'person' | 'none' | 'newcomer';

/** The part of its memory that a gateway must forget after the row has changed something. */
export type Forgotten = 'key' | 'session' | 'everything';

/** Bytes of the largest body that a path under /auth takes. */
export const authBodyLimit = 64 * 1_024;

export interface AuthOperation {
  readonly id: `auth.${string}`;
  readonly method: 'GET' | 'POST';
  /** Relative to /auth, compared as it stands. */
  readonly path: `/${string}`;
  readonly who: AuthAccess;
  /** One line for the docs, imperative. */
  readonly summary: string;
  /** What the summary leaves out: effects, limits, what a repetition does. Markdown. */
  readonly description: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The schema of the answer: fields that it does not name are taken out of better-auth's answer. */
  readonly answer: z.ZodType;
  /** The answer is a page for people, and no JSON. */
  readonly page?: true;
  /** Codes beyond those that any row may answer. */
  readonly errors: readonly ErrorCode[];
  /** Takes a verified e-mail address. */
  readonly verified?: true;
  /** Takes a second factor as soon as any organization of the person requires one; rows for owners and admins do. */
  readonly secondFactor?: true;
  /** The field of the body with the address that gets a mail. Mails are counted, so that the row fills no mailbox. */
  readonly mailsTo?: 'email';
  readonly guessedAt?: GuessedAt;
  readonly forgets?: Forgotten;
  /** The change of members or invitations that people who look at the organization are told of. */
  readonly tells?: MembershipChange;
  /**
   * A POST that makes something and takes an Idempotency-Key. The answer is kept for a day, encrypted so that only a
   * repetition by the same person opens it.
   */
  readonly idempotent?: true;
  /** The field of the body with the id of a row that must belong to the active organization. */
  readonly owned?: { readonly field: string; readonly model: 'member' | 'invitation' };
}

/** Declares a row; `const` keeps the literals, so that handlers can be named by id. */
export const authOperation = <const T extends AuthOperation>(row: T): T => Object.freeze(row);

/** An address as better-auth takes it; ASCII only, so that lower case is one form. */
export const email = z.email().max(254);
export const password = text(8, 128);
/** A password that is compared and not set. */
export const givenPassword = text(1, 128);
export const personName = name(1, 100);
export const id = uuid;
/**
 * The address that a browser is sent to next. better-auth compares its origin with the platform's. Other characters cannot
 * stand in a header.
 */
export const nextAddress = z
  .string()
  .max(2_048)
  .regex(/^(?:\/|https?:\/\/)[\x21-\x7e]*$/, 'must be a path or an http address');
export const done = z.object({ status: z.boolean() });
