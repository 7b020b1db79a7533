// The credentials for a request to a server. The session asks before every request, because a secret may have a new
// value and a token may have ended.

/** Headers for the next request, and the secret values in them, which never reach a log or an answer. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
}

export interface Authorization {
  /** @throws McpFailure `auth_required` when there is nothing to send yet; AppError SECRET_NOT_FOUND */
  credentials(): Promise<Credentials>;
  /**
   * The server answered 401, or 403 because the credentials lack a right.
   * @param challenge its header `www-authenticate`, if it sent one
   * @param sent the result of `credentials` for the request; later requests may have got others
   * @returns true when the request is worth another try with new credentials
   */
  renew(challenge: string | undefined, sent: Credentials): Promise<boolean>;
}
