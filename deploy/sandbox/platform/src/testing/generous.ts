/** Limits far above what a test sends, so that none of its requests is refused for being one too many. */
export const generous = Object.fromEntries(
  [
    'READ',
    'WRITE',
    'COST',
    'PURCHASE',
    'UPLOAD',
    'PUBLIC_CONFIG',
    'PUBLIC_SESSION',
    'AUTH',
    'FAILED_AUTH',
  ].map((bucket) => [`RATE_LIMIT_${bucket}_PER_MINUTE`, '1000000']),
);
