/** Limits far above the number of requests that a test sends, so that none of them meets a limit. */
export const generous = Object.fromEntries(
  [
    'READ',
    'WRITE',
    'COST',
    'PURCHASE',
    'UPLOAD',
    'PUBLIC_CONFIG',
    'PUBLIC_SESSION',
    'PUBLIC_QUEUE',
    'PUBLIC_MESSAGE',
    'AUTH',
    'FAILED_AUTH',
  ].map((bucket) => [`RATE_LIMIT_${bucket}_PER_MINUTE`, '1000000']),
);
