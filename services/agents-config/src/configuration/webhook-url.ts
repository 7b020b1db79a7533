// Is this a URL that we would ever call for a customer? Judged when it is saved, by its text alone; where a name
// leads is judged again at every call.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const insideNames = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|localdomain|home\.arpa)$/;

const publicAddress = (host: string): boolean => {
  const address = ipaddr.process(host.replace(/^\[|\]$/g, ''));
  return address.range() === 'unicast' && address.toString() !== '168.63.129.16';
};

/**
 * True for an https URL with a public host and no user name in it.
 * @param allowedInside hosts that an operator allows for trying things out, with http too
 */
export const isAllowedWebhookUrl = (text: string, allowedInside: readonly string[] = []): boolean => {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const host = url.hostname.toLowerCase().replace(/\.$/, '');
  if (url.username !== '' || url.password !== '') return false;
  // The parser lets the braces of a placeholder through; nobody could say where such a host leads.
  if (!/^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])$/.test(host)) return false;
  if (allowedInside.includes(host)) return url.protocol === 'https:' || url.protocol === 'http:';
  if (url.protocol !== 'https:') return false;
  if (!['', '443', '8443'].includes(url.port)) return false;
  const bare = host.replace(/^\[|\]$/g, '');
  if (isIP(bare)) return publicAddress(bare);
  return host.includes('.') && !insideNames.test(host);
};
