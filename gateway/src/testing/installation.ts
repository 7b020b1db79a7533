// One installation for the stories of accounts. It has two gateways that share it, a third one with open sign-up, a
// fourth one without sign-up, and a mailbox.
import { expect } from '@jest/globals';
import { serviceRequests } from '@parlance/contracts';
import { eventually, serveOperation, type TestEngines, testEngines } from '@parlance/fixtures';
import { connectNats } from '@parlance/rpc';
import { Mailbox, type ReceivedMail } from './mailbox.js';
import { type Person, type Reply, type Send, TestGateway } from './test-gateway.js';

export const setupCode = 'a-code-of-the-operator';
const password = 'a long password';

/** The status, with the code of a refusal. */
export const said = ({ status, body }: Reply): string => `${status} ${body?.error?.code ?? ''}`.trim();

/** The colleagues that the stories need. All of them join at once, because each waits for mails. */
const wanted = ['viewer', 'admin', 'admin', 'member', 'member', 'member', 'member', 'member', 'member'];

interface Gateways {
  readonly gateway: TestGateway;
  /** A second copy of the first. */
  readonly second: TestGateway;
  /** `SIGN_UP=open` */
  readonly open: TestGateway;
  /** `SIGN_UP=closed` */
  readonly closed: TestGateway;
}

export class Installation {
  readonly gateway: TestGateway;
  readonly second: TestGateway;
  readonly open: TestGateway;
  readonly closed: TestGateway;
  readonly mailbox: Mailbox;
  readonly #engines: TestEngines;
  #owner: Person | undefined;
  #addresses = 0;
  #joining: Map<string, Promise<Person>[]> | undefined;

  private constructor(gateways: Gateways, mailbox: Mailbox, engines: TestEngines) {
    this.gateway = gateways.gateway;
    this.second = gateways.second;
    this.open = gateways.open;
    this.closed = gateways.closed;
    this.mailbox = mailbox;
    this.#engines = engines;
  }

  static async start(): Promise<Installation> {
    const engines = await testEngines({ postgres: true, nats: true });
    const { url: postgresUrl } = await engines.databaseFor('gateway');
    const mailbox = new Mailbox();
    await mailbox.start();
    const authSecret = 's'.repeat(20) + Math.random().toString(36).padEnd(30, '0');
    const start = (signUp: string): Promise<TestGateway> =>
      TestGateway.start({
        postgresUrl,
        natsUrl: engines.natsUrl,
        variables: {
          ...mailbox.variables,
          AUTH_SECRET: authSecret,
          SETUP_CODE: setupCode,
          SIGN_UP: signUp,
          EMAIL_VERIFICATION: 'required',
        },
      });
    const gateways = {
      gateway: await start('invite'),
      second: await start('invite'),
      open: await start('open'),
      closed: await start('closed'),
    };
    return new Installation(gateways, mailbox, engines);
  }

  /** Plays the services that have nothing of an organization, so that it can be removed. */
  async withEmptyServices(work: () => Promise<void>): Promise<void> {
    const nats = await connectNats({ url: this.#engines.natsUrl, name: 'empty services' });
    const { numbersCloseOrganization, outboundCallsCloseOrganization, callsOpenCount } = serviceRequests;
    await serveOperation(nats, numbersCloseOrganization, () => ({ data: { numbers: 0 } }));
    await serveOperation(nats, outboundCallsCloseOrganization, () => ({
      data: { campaigns: 0, outboundCalls: 0 },
    }));
    await serveOperation(nats, callsOpenCount, () => ({ data: { open: 0 } }));
    await nats.flush();
    await work().finally(() => nats.close());
  }

  async stop(): Promise<void> {
    await Promise.all([this.gateway, this.second, this.open, this.closed].map((running) => running.stop()));
    await this.mailbox.remove();
    await this.#engines.stop();
  }

  /** The first account. @throws Error before it was made */
  get owner(): Person {
    if (this.#owner === undefined) throw new Error('the installation has no owner yet');
    return this.#owner;
  }

  set owner(person: Person) {
    this.#owner = person;
  }

  post(path: string, body: unknown, person?: Person, at = this.gateway): Promise<Reply> {
    const headers = person === undefined ? {} : { headers: person.session };
    return at.send(path, { method: 'POST', body, ...headers });
  }

  get(path: string, person: Person, at = this.gateway): Promise<Reply> {
    return at.send(path, { headers: person.session });
  }

  signUp(email: string, at = this.gateway, headers: Send['headers'] = {}): Promise<Reply> {
    const body = { name: 'Ada', email, password };
    return at.send('/auth/sign-up/email', { method: 'POST', headers, body });
  }

  signIn(email: string, at = this.gateway): Promise<Person> {
    return at.signIn({ email, password });
  }

  newAddress(name: string): string {
    this.#addresses += 1;
    return `${name}-${this.#addresses}@example.com`;
  }

  /** The newest mail with this subject. */
  mailTo(email: string, subject: RegExp): Promise<ReceivedMail> {
    return eventually(
      async () => {
        const mails = await this.mailbox.mailsTo(email);
        const mail = mails.filter((each) => subject.test(each.subject)).at(-1);
        if (mail === undefined) throw new Error(`no such mail to ${email}`);
        return mail;
      },
      { timeoutMs: 60_000 },
    );
  }

  /** Opens the link of the mail that verifies an address. */
  async verify(email: string): Promise<Response> {
    const page = await fetch((await this.mailTo(email, /Verify/)).link);
    expect(page.status).toBe(200);
    return page;
  }

  invite(email: string, role: unknown, by = this.owner): Promise<Reply> {
    return this.post(
      '/auth/organization/invite-member',
      { email, role, organizationId: by.organizationId },
      by,
    );
  }

  accept(invitationId: string, person: Person): Promise<Reply> {
    return this.post('/auth/organization/accept-invitation', { invitationId }, person);
  }

  /** A person with a verified address and this role in the owner's organization, which is active. */
  colleague(role: string): Promise<Person> {
    this.#joining ??= this.#joinAll();
    return this.#joining.get(role)?.pop() ?? this.#join(role);
  }

  #joinAll(): Map<string, Promise<Person>[]> {
    const people = new Map<string, Promise<Person>[]>();
    for (const role of wanted) people.set(role, [...(people.get(role) ?? []), this.#join(role)]);
    return people;
  }

  async #join(role: string): Promise<Person> {
    const email = this.newAddress(role);
    const { status, body } = await this.invite(email, role);
    expect([status, body]).toEqual([200, expect.anything()]);
    expect(said(await this.signUp(email))).toBe('200');
    await this.verify(email);
    const person = await this.signIn(email);
    expect((await this.accept(body.id, person)).status).toBe(200);
    return { ...person, organizationId: this.owner.organizationId };
  }
}
