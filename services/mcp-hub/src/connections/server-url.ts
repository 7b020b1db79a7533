// Judges the address of a server when it is saved. An address is shown to every reader of the connection and stands in logs of
// others. So it must not hold a credential.
import type { UrlRules } from '@parlance/egress';
import { AppError } from '@parlance/errors';

const credentialName =
  /(?:^|[_.-])(?:token|key|apikey|secret|password|passwd|pwd|auth|authorization|credential|signature|sig|jwt|code)s?$/i;
/** The beginnings by which well-known services mark their tokens, and tokens that are three parts of base64. */
const credentialValue =
  /(?:^|[/=])(?:sk[-_]|pk[-_]|rk[-_]|gh[pousr]_|github_pat_|xox[abprs]-|glpat-|AKIA|AIza|hf_|eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.)/;

const refused = (reason: string): AppError => new AppError('URL_NOT_ALLOWED', { details: { reason } });

/** @throws AppError URL_NOT_ALLOWED */
export const checkServerUrl = (text: string, rules: UrlRules): string => {
  const url = rules.check(text);
  const holdsCredential =
    [...url.searchParams.keys()].some((name) => credentialName.test(name)) ||
    credentialValue.test(decodeURI(url.pathname)) ||
    [...url.searchParams.values()].some((value) => credentialValue.test(`=${value}`));
  if (holdsCredential) throw refused('credentials');
  return url.href;
};
