// The one way to do anything: operations of the contract, asked of the gateway with the credential of the request.
import { type ApiAnswer, ApiError, type CallOptions, type Parts, request } from '@parlance/client';
import { CallerView, contract, type Operation, usualWaitLimitMs } from '@parlance/contracts';
import { AppError, isErrorCode } from '@parlance/errors';
import { numbersForTokens, tokensForNumbers, withoutTokens, withTokens } from '@parlance/json';

/** Beyond the gateway's wait for a service, so that the gateway's own answer arrives. */
const marginMs = 15_000;

const patienceWith = ({
  answerWithinMs = 0,
}: Operation): Pick<CallOptions, 'timeoutMs' | 'totalTimeoutMs'> => {
  const timeoutMs = Math.max(usualWaitLimitMs, answerWithinMs) + marginMs;
  return { timeoutMs, totalTimeoutMs: timeoutMs };
};

/** Headers that are passed on unchanged: the caller's credential, its address, and the id of the request. */
const passedOn = ['x-api-key', 'authorization', 'x-parlance-address', 'x-request-id'] as const;

export type IncomingHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The gateway as one caller sees it. */
export interface CallersGateway {
  /** @throws AppError as the gateway refuses, SERVICE_UNAVAILABLE when it does not answer */
  call(row: Operation, parts: Parts, options?: CallOptions): Promise<ApiAnswer<unknown>>;
}

const headersOf = (incoming: IncomingHeaders): Record<string, string> =>
  Object.fromEntries(
    passedOn.flatMap((name) => {
      const value = incoming[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );

const asAppError = (error: unknown): AppError => {
  if (error instanceof ApiError) {
    const { retryAfterSeconds } = error;
    return new AppError(isErrorCode(error.code) ? error.code : 'INTERNAL_ERROR', {
      details: error.details,
      cause: error,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    });
  }
  if (error instanceof Error && error.name === 'TimeoutError')
    return new AppError('UPSTREAM_TIMEOUT', { cause: error });
  return new AppError('SERVICE_UNAVAILABLE', { cause: error, retryAfterSeconds: 1 });
};

/** The client reads and writes numbers as doubles, so numbers that a double would change pass through it as tokens. */
const losslessFetch: typeof fetch = async (url, init) => {
  const body = typeof init?.body === 'string' ? { body: numbersForTokens(init.body) } : {};
  const response = await fetch(url, { ...init, ...body });
  const { status, statusText, headers } = response;
  return new Response(response.body && tokensForNumbers(await response.text()), {
    status,
    statusText,
    headers,
  });
};

export class Gateway {
  readonly #baseUrl: string;

  /** @param url scheme, host and port */
  constructor(url: string) {
    this.#baseUrl = `${new URL(url).origin}/api/v1`;
  }

  as(incoming: IncomingHeaders): CallersGateway {
    // The program that asks decides about repeating.
    const options = {
      baseUrl: this.#baseUrl,
      headers: headersOf(incoming),
      retries: 0,
      fetch: losslessFetch,
    };
    return {
      call: async (row, parts, call = {}) => {
        try {
          const sent = { ...parts, body: withTokens(parts.body) };
          const answer = await request(options, row.id, sent, { ...patienceWith(row), ...call });
          return { ...answer, data: withoutTokens(answer.data) };
        } catch (error) {
          throw asAppError(error);
        }
      },
    };
  }

  /** The caller that the credential of a request stands for. @throws AppError UNAUTHENTICATED for none that opens anything */
  async callerOf(incoming: IncomingHeaders): Promise<CallerView> {
    const { data } = await this.as(incoming).call(contract.callerGet, {});
    return CallerView.parse(data);
  }
}
