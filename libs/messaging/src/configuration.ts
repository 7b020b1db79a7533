// The users in the language of nats-server's configuration.
import { administrator, type BrokerUser, isServiceUser, serviceUsers } from './users.js';

/** Names of all users. */
export const userNames: readonly string[] = [administrator, ...serviceUsers.map(({ name }) => name)];

/** The environment variable that has a user's password. */
export const passwordVariableOf = (user: string): string =>
  user === administrator ? 'NATS_PASSWORD' : `${user.toUpperCase().replaceAll('-', '_')}_NATS_PASSWORD`;

const lineWidth = 130;

/** Texts on as few lines as they fit on. */
const lines = (texts: readonly string[]): readonly string[] => {
  const all: string[] = [];
  for (const text of texts) {
    const last = all.at(-1);
    if (last === undefined || last.length + text.length + 2 > lineWidth) all.push(text);
    else all[all.length - 1] = `${last}, ${text}`;
  }
  return all;
};

const list = (verb: string, subjects: readonly string[]): readonly string[] => [
  `        ${verb}: { allow: [`,
  ...lines(subjects.map((subject) => JSON.stringify(subject))).map((line) => `          ${line}`),
  '        ] }',
];

const userText = ({ name, publish, subscribe }: BrokerUser, password: string): readonly string[] => [
  '    {',
  `      user: ${name}`,
  `      password: ${password}`,
  '      permissions: {',
  ...list('publish', publish),
  ...list('subscribe', subscribe),
  '      }',
  '    }',
];

/** The user that a process signs in as; a process that is no service is the administrator's. */
export const userOfProcess = (process: string): string => (isServiceUser(process) ? process : administrator);

/**
 * The block `authorization`, with every user.
 * @param passwordOf the password as the configuration writes it: a text in quotes, or a variable, which it is unless said
 */
export const authorizationBlock = (
  passwordOf = (user: string): string => `$${passwordVariableOf(user)}`,
  users: readonly BrokerUser[] = serviceUsers,
): string =>
  [
    'authorization {',
    '  users: [',
    `    { user: ${administrator}, password: ${passwordOf(administrator)} }`,
    ...users.flatMap((user) => userText(user, passwordOf(user.name))),
    '  ]',
    '}',
    '',
  ].join('\n');
