// .env.example: the settings that most installations touch. docs/configuration.md has every variable.
import { allVariables } from './all-variables.js';

/** In the order of a first installation. */
const settings = [
  'ROOT_SECRET',
  'COMPOSE_FILE',
  'PARLANCE_IMAGE',
  'PUBLIC_URL',
  'TRUST_PROXY_HOPS',
  'LIVEKIT_WS_URL',
  'OBJECT_STORAGE_PUBLIC_URL',
  'SIGN_UP',
  'SMTP_URL',
  'MAIL_FROM',
  'TWILIO_ACCOUNT_SID',
  'TWILIO_AUTH_TOKEN',
  'TELNYX_API_KEY',
  'SIP_INBOUND_HOST',
  'NODE_IP',
  'MEDIA_HOST',
] as const;

const introduction = `# The settings that most installations touch. docs/configuration.md describes every variable.
# Written by \`npm run gen\` from the schemas that read them; change those.
#
# docker compose starts without any of them. To set some: cp .env.example .env
# An empty variable counts as absent. Never commit a filled-in copy.`;

/** @throws Error for a setting that no schema has any more */
export const envExample = (): string => {
  const variables = new Map(allVariables().map((variable) => [variable.name, variable]));
  const blocks = settings.map((name) => {
    const variable = variables.get(name);
    if (variable === undefined) throw new Error(`${name} of .env.example is read by nothing`);
    const make = variable.make === undefined ? '' : ` Make one: ${variable.make}`;
    return `# ${variable.about}${make}\n#${name}=${variable.otherwise ?? ''}`;
  });
  return `${[introduction, ...blocks].join('\n\n')}\n`;
};
