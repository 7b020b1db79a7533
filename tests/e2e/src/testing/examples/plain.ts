// Recorded values as a page of documentation shows them: ids in order, times from one day, addresses of example.com, and short lists.
// Made-up values stand in the place of everything that opens something.

/** A list shows its first records. */
const longestList = 2;
const longestText = 1_200;

// A voice of a provider has an id of its own, which stays.
const uuids = /(?<!cartesia\/)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const times = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)/g;
const days = /\b20\d\d-\d\d-\d\d\b(?!T)/g;
const httpDates = /\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/g;
/** Numbers that the simulated providers sell; the phones that this walk calls are others. */
const boughtNumbers = /\+1(?!415555)\d{10}/g;
const firstTime = Date.parse('2026-07-01T09:30:00.000Z');

/** Fields that open something, or could, by their names, with the text that replaces each. */
const hidden: Readonly<Record<string, string>> = {
  key: 'parl_live_example',
  prefix: 'parl_live_exam',
  token: 'example-token',
  callToken: 'example-token',
  endToken: 'example-token',
  queueTicket: 'example-ticket',
  quoteId: 'example-quote',
  identity: 'preview_example',
  cursor: 'ZXhhbXBsZQ',
  nextCursor: 'ZXhhbXBsZQ',
  publicKey: 'example_public_key_of_x25519_in_the_der_form_of_spki_base64',
  sealedKey: 'example-sealed-key',
  uploadUrl: 'https://files.example.com/upload?signature=example',
  totpURI: 'otpauth://totp/Parlance:grace@example.com?secret=EXAMPLE&issuer=Parlance',
  code: '123456',
  ipAddress: '203.0.113.7',
  requestId: '0190a5d2-7f3c-7000-8000-0000000000ff',
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
};
/** Only for requests of the door is `code` a secret; elsewhere it names a kind. */
const isSecret = (name: string, value: unknown): value is string =>
  typeof value === 'string' &&
  Object.hasOwn(hidden, name) &&
  !(name === 'code' && /^[A-Z_a-z]+$/.test(value) && !/\d/.test(value));

/** Texts that look made by a machine: tokens, digests, ids of providers. */
const madeUp =
  /(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{20,}|(?<!\w)(?=\w*\d)(?=\w*[A-Za-z])\w{15,}(?!\w)/g;
const eventIds = /^id: .*$/gm;
const webToken = /eyJ[\w-]+\.[\w-]+\.[\w-]*/g;

export class Plain {
  readonly #replaced: readonly (readonly [string, string])[];
  readonly #ids = new Map<string, string>();
  readonly #numbers = new Map<string, string>();

  /** @param replaced texts of this run, such as addresses, and the text that replaces each */
  constructor(replaced: ReadonlyMap<string, string>) {
    this.#replaced = [...replaced];
  }

  /** One example. Its times keep their order. */
  of(value: unknown): unknown {
    const found = [...new Set(JSON.stringify(value).match(times) ?? [])];
    const inOrder = found.sort((left, right) => Date.parse(left) - Date.parse(right));
    const moments = new Map(
      inOrder.map((time, index) => [time, new Date(firstTime + index * 1_000).toISOString()]),
    );
    return this.#value(value, '', moments);
  }

  #value(value: unknown, name: string, moments: ReadonlyMap<string, string>): unknown {
    if (isSecret(name, value)) return hidden[name];
    if (typeof value === 'string') return this.#text(value, moments);
    if (Array.isArray(value)) {
      const shown = name === 'backupCodes' ? ['example-code'] : value.slice(0, longestList);
      return shown.map((each) => this.#value(each, '', moments));
    }
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        this.#text(key, moments),
        this.#value(member, key, moments),
      ]),
    );
  }

  #text(text: string, moments: ReadonlyMap<string, string>): string {
    let plain = text;
    for (const [found, instead] of this.#replaced) plain = plain.replaceAll(found, instead);
    plain = plain
      .replaceAll(uuids, (id) => this.#id(id))
      .replaceAll(webToken, 'example-token')
      .replaceAll(eventIds, 'id: example-event')
      .replaceAll(/\b(https?|wss?):\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?/g, '$1s://files.example.com')
      .replaceAll(days, '2026-07-01')
      .replaceAll(times, (time) => moments.get(time) ?? time)
      .replaceAll(httpDates, 'Wed, 01 Jul 2026 09:30:00 GMT')
      .replaceAll(boughtNumbers, (number) => this.#number(number))
      .replaceAll(madeUp, (word) => `${word.slice(0, 2)}_example`);
    return plain.length > longestText ? plain.slice(0, plain.lastIndexOf('\n', longestText) + 1) : plain;
  }

  #number(number: string): string {
    const made = this.#numbers.get(number) ?? `+141555502${String(this.#numbers.size).padStart(2, '0')}`;
    this.#numbers.set(number, made);
    return made;
  }

  #id(id: string): string {
    const known = this.#ids.get(id);
    if (known !== undefined) return known;
    const made = `0190a5d2-7f3c-7000-8000-${String(this.#ids.size + 1).padStart(12, '0')}`;
    this.#ids.set(id, made);
    return made;
  }
}
