// The settings of a connection that are sent as it starts.
import pg from 'pg';

/**
 * The server notices within 25 seconds that the machine of a connection is gone, and frees its locks. Its own defaults
 * take hours, in which no other replica could take the work over. They do nothing on a Unix socket.
 */
const lifeSigns = Object.entries({
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 30_000,
})
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

/** The value for the server's command line, where a space ends an option unless a backslash stands before it. */
export const startOptions = (searchPath: readonly string[] | undefined): string => {
  // The texts and the date functions of the server must not depend on its own time zone.
  const always = `-c TimeZone=UTC ${lifeSigns}`;
  if (searchPath === undefined) return always;
  const path = searchPath.map((schema) => pg.escapeIdentifier(schema)).join(',');
  return `${always} -c search_path=${path.replaceAll(/[\\\s]/g, (found) => `\\${found}`)}`;
};
