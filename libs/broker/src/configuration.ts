// The users in the language of nats-server's configuration.
import { administrator, type BrokerUser, serviceUsers } from './users.js';

/** Names of all users. */
export const userNames: readonly string[] = [administrator, ...serviceUsers.map(({ name }) => name)];

/** The environment variable that has a user's password. */
export const passwordVariableOf = (user: string): string =>
  user === administrator ? 'NATS_PASSWORD' : `${user.toUpperCase().replaceAll('-', '_')}_NATS_PASSWORD`;

const list = (verb: string, subjects: readonly string[]): readonly string[] => [
  `        ${verb}: { allow: [`,
  ...subjects.map((subject) => `          ${JSON.stringify(subject)}`),
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

/**
 * The block `authorization`, with every user.
 * @param passwordOf the password as the configuration writes it: a variable (`$NATS_PASSWORD`) or a text in quotes
 */
export const authorizationBlock = (passwordOf: (user: string) => string): string =>
  [
    'authorization {',
    '  users: [',
    `    { user: ${administrator}, password: ${passwordOf(administrator)} }`,
    ...serviceUsers.flatMap((user) => userText(user, passwordOf(user.name))),
    '  ]',
    '}',
    '',
  ].join('\n');
