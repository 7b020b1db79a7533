// The pages that links in mails open where no console is served: choosing a new password, and accepting an invitation. The token
// of a link stands behind the #, which browsers send to no server, so the token is in no log.
import { type RequestHandler, Router } from 'express';
import { sendPage } from './page.js';
import { pageHeaders } from './security-headers.js';

const script = `
'use strict';
const token = decodeURIComponent(location.hash.slice(1));
const say = (text) => { document.getElementById('answer').textContent = text; };
const post = async (path, body) => {
  const answer = await fetch('/api/v1/auth' + path, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
  });
  if (answer.ok) return true;
  const { message, error } = await answer.json();
  say(error.code === 'VALIDATION_ERROR' ? 'That was not accepted. ' + (error.details?.issues ?? [])
    .map((issue) => issue.path.replace('body.', '') + ' ' + issue.message).join(', ') : message);
  return false;
};
const forms = {
  ask: async ({ email }) =>
    await post('/request-password-reset', { email }) && 'If this address has an account, a mail with a link is on its way.',
  choose: async ({ newPassword }) =>
    await post('/reset-password', { token, newPassword }) && 'Your new password is set. Every device is signed out.',
  signIn: async ({ email, password, code }) => {
    if (!(await post('/sign-in/email', { email, password }))) return false;
    if (code !== '' && !(await post('/two-factor/verify-totp', { code }))) return false;
    location.reload();
    return 'You are signed in.';
  },
  join: async ({ name, email, password, code }) => {
    if (name !== '' && !(await post('/sign-up/email', { name, email, password }))) return false;
    if (!(await post('/sign-in/email', { email, password }))) return false;
    if (code !== '' && !(await post('/two-factor/verify-totp', { code }))) return false;
    return await post('/organization/accept-invitation', { invitationId: token }) && 'You have joined.';
  },
};
for (const form of document.forms) {
  if (form.id !== 'signIn') form.hidden = form.id === 'ask' ? token !== '' : token === '';
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    say('');
    const done = await forms[form.id](Object.fromEntries(new FormData(form)));
    if (done) { form.hidden = true; say(done); }
  });
}
`;

const answer = '<p id="answer" role="status"></p>\n<script src="/account/account.js"></script>';

const resetPassword = `<form id="ask" hidden>
<label>E-mail address <input name="email" type="email" autocomplete="email" required></label>
<button>Send me a link</button>
</form>
<form id="choose" hidden>
<label>New password, of 8 characters or more
<input name="newPassword" type="password" autocomplete="new-password" minlength="8" maxlength="128" required></label>
<button>Set it</button>
</form>
${answer}`;

/** For pages that a person has to be signed in for; the page is loaded again afterwards. */
export const signInForm = `<form id="signIn">
<label>E-mail address <input name="email" type="email" autocomplete="email" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" maxlength="128" required></label>
<label>Code of your second factor, if you have one
<input name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}"></label>
<button>Sign in</button>
</form>
${answer}`;

const invitation = `<p>Sign in with the address that the invitation came to. If you are new, give your name too; a second mail
verifies your address, and this page works once you have opened its link.</p>
<form id="join" hidden>
<label>E-mail address <input name="email" type="email" autocomplete="email" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" maxlength="128" required></label>
<label>Your name, if you are new <input name="name" autocomplete="name" maxlength="100"></label>
<label>Code of your second factor, if you have one
<input name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}"></label>
<button>Join</button>
</form>
${answer}`;

const page =
  (title: string, body: string): RequestHandler =>
  (_request, response) => {
    response.locals.route = 'account';
    sendPage(response, { title, body });
  };

const serveScript: RequestHandler = (_request, response) => {
  response.locals.route = 'account';
  response.setHeader('Content-Type', 'text/javascript; charset=utf-8');
  response.end(script);
};

/**
 * To be mounted at /account.
 * @param console answers the addresses of mails instead, where the console is served
 */
export const accountPages = (console: RequestHandler | undefined): Router => {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/account.js', pageHeaders, serveScript);
  router.get('/reset-password', console ?? page('Choose a new password', resetPassword));
  router.get('/invitation', console ?? page('Join an organization', invitation));
  return router;
};
