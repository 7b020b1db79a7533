// Reads one cookie; better-auth reads and writes its own.

/** The value of one cookie out of a Cookie header. */
export const cookieValue = (header: string, name: string): string | undefined => {
  for (const pair of header.split(';')) {
    const separator = pair.indexOf('=');
    if (separator !== -1 && pair.slice(0, separator).trim() === name) return pair.slice(separator + 1).trim();
  }
  return undefined;
};
