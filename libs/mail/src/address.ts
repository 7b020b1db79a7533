// The rule for an e-mail address. Any other text is refused before it can reach a header of a mail.
const longest = 254;
// Printable ASCII without the characters that end an address, a header or a list of addresses.
const local = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}$/i;
const domain =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;
const dots = /^\.|\.\.|\.$/;

/** True for one plain address. A domain of one word is fine: hosts inside a network have such names. */
export const isEmailAddress = (text: string): boolean => {
  if (text.length > longest) return false;
  const at = text.lastIndexOf('@');
  const [name, host] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)];
  return local.test(name) && !dots.test(name) && domain.test(host);
};

/** `Name <address>`, as it stands in From. */
export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

const withName = /^([^<>"\p{Cc}]{0,100})<([^<>]+)>$/u;

/** `address` or `Name <address>`; undefined for anything else. */
export const parseMailbox = (text: string): Mailbox | undefined => {
  const [, name = '', inBrackets] = withName.exec(text.trim()) ?? [];
  const address = inBrackets ?? text.trim();
  return isEmailAddress(address) ? { name: name.trim(), address } : undefined;
};
