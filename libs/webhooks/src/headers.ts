// Headers that customers configure.

/** Headers that decide the transport or the destination of a message. */
const notConfigurable = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'content-length',
  'transfer-encoding',
  'trailer',
  'te',
  'upgrade',
  'expect',
  'accept-encoding',
]);
/** Characters that a header must not hold. The value of a placeholder may contain any character. */
const notInHeaders = /[^\t\x20-\x7e\x80-\xff]/g;

/** False for a header that the platform alone decides. */
export const isConfigurable = (name: string): boolean => !notConfigurable.has(name.toLowerCase());

/** The text without the characters that would break a header. */
export const headerText = (text: string): string => text.replace(notInHeaders, '');
