// Visitor tokens: a site's own server signs the identity of a visitor, with a secret that the organization keeps here.
import { name as shownName, stringMap } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Clock } from '@parlance/observability';
import type { OrganizationSecrets } from '@parlance/webhooks';
import { jwtVerify } from 'jose';
import { z } from 'zod';
import type { WidgetRow } from '../widgets/widget-record.js';

const longestSeconds = 300;
/** Clocks of two machines may differ by this much. */
const skewSeconds = 30;

const Claims = z.object({
  sub: shownName(1, 128),
  exp: z.int(),
  variables: stringMap.optional(),
});

/** The facts that a site tells of its visitor. */
export interface NamedVisitor {
  readonly subject: string;
  readonly variables: Readonly<Record<string, string>>;
}

interface VisitorTokenOptions {
  readonly secrets: Pick<OrganizationSecrets, 'signing'>;
  readonly clock: Clock;
}

const invalid = (cause?: unknown): AppError => new AppError('INVALID_VISITOR_TOKEN', { cause });

const verify = async (token: string, key: string, now: Date): Promise<NamedVisitor> => {
  const { payload } = await jwtVerify(token, new TextEncoder().encode(key), {
    algorithms: ['HS256'],
    requiredClaims: ['sub', 'exp'],
    clockTolerance: skewSeconds,
    currentDate: now,
  });
  const { sub, exp, variables } = Claims.parse(payload);
  if (exp > now.getTime() / 1_000 + longestSeconds + skewSeconds)
    throw new Error('the token is good for too long');
  return { subject: sub, variables: variables ?? {} };
};

/** The versions of the secret that are good now. */
const keysOf = async (
  { secrets }: Pick<VisitorTokenOptions, 'secrets'>,
  organizationId: string,
  secretId: string,
) => {
  try {
    return await secrets.signing(organizationId, secretId);
  } catch (error) {
    if (error instanceof AppError && error.code === 'SECRET_NOT_FOUND') throw invalid(error);
    throw error;
  }
};

/**
 * Undefined for a visitor without a token, where none is required.
 * @throws AppError INVALID_VISITOR_TOKEN for a token that is missing, wrong or expired, and when its secret was
 *   deleted; SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT while tools-secrets does not answer
 */
export const namedVisitor = async (
  { secrets, clock }: VisitorTokenOptions,
  { organization_id: organizationId, document }: WidgetRow,
  token: string | undefined,
): Promise<NamedVisitor | undefined> => {
  const { requireVisitorToken, visitorTokenSecretId } = document;
  if (token === undefined && !requireVisitorToken) return undefined;
  if (token === undefined || visitorTokenSecretId === null) throw invalid();
  const failures: unknown[] = [];
  for (const key of await keysOf({ secrets }, organizationId, visitorTokenSecretId)) {
    try {
      return await verify(token, key, clock.now());
    } catch (error) {
      failures.push(error);
    }
  }
  throw invalid(failures[0]);
};
