// The person at the login page: follows redirects, keeps cookies, and submits the forms that the pages show.

export interface SignIn {
  /** The name that the person signs in with. */
  readonly login: string;
  /** The person does not agree (false). */
  readonly declines?: boolean;
}

const mostSteps = 20;

class Browser {
  readonly #cookies = new Map<string, string>();

  async open(url: URL, form?: URLSearchParams): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      method: form === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: cookie === '' ? {} : { cookie },
      ...(form !== undefined && { body: form }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) this.#cookies.set(name, value);
    }
    return response;
  }
}

const formOf = (page: string): string => {
  const [, action] = /<form[^>]+action="([^"]+)"/.exec(page) ?? [];
  if (action === undefined) throw new Error(`the page shows no form: ${page.slice(0, 500)}`);
  return action.replaceAll('&amp;', '&');
};

/**
 * Opens the authorization address, signs in and agrees.
 * @returns where the person is sent back to: the client's callback with its parameters
 * @throws Error with the text of the last page, when the pages lead nowhere
 */
export const signIn = async (authorizationUrl: string, { login, declines = false }: SignIn): Promise<URL> => {
  const browser = new Browser();
  const callback = new URL(authorizationUrl).searchParams.get('redirect_uri') ?? '';
  let at = new URL(authorizationUrl);
  let response = await browser.open(at);
  for (let step = 0; step < mostSteps; step += 1) {
    const location = response.headers.get('location');
    if (location !== null) {
      at = new URL(location, at);
      if (at.href.startsWith(`${callback}?`)) return at;
      response = await browser.open(at);
      continue;
    }
    const page = await response.text();
    if (!response.ok) throw new Error(`${response.status} at ${at.pathname}: ${page.slice(0, 500)}`);
    at = new URL(formOf(page), at);
    if (declines) {
      at = new URL(`${at.pathname}/abort`, at);
      response = await browser.open(at);
      continue;
    }
    const prompt = page.includes('name="login"') ? 'login' : 'consent';
    response = await browser.open(at, new URLSearchParams({ prompt, login, password: 'any' }));
  }
  throw new Error(`no way back to ${callback} was found`);
};
