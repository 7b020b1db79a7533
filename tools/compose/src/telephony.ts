// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Compose writes its variables so
// The rules for deploy/compose/telephony.yml: the same bridges to telephones as in docker-compose.yml, on the network of the
// machine. Their addresses do not collide, and their ports are enough for as many calls as dialers make.
import { parse } from 'yaml';
import { z } from 'zod';
import { type ComposeFile, parseCompose } from './compose-file.js';
import type { Process } from './processes.js';
import { takenByCompose } from './taken-variables.js';
import { variablesOf } from './variables.js';

export interface TelephonySubject {
  /** Text of docker-compose.yml. */
  readonly compose: string;
  /** Text of deploy/compose/telephony.yml. */
  readonly telephony: string;
  /** Text of docs/configuration.md. */
  readonly configuration: string;
  readonly processes: readonly Process[];
}

const bridges = ['sip', 'sip-inbound'] as const;

const Bridge = z.looseObject({
  redis: z.looseObject({ address: z.string() }),
  health_port: z.int(),
  sip_port: z.int(),
  rtp_port: z.string().regex(/^\d+-\d+$/),
  nat_1_to_1_ip: z.string().optional(),
});
type Bridge = z.output<typeof Bridge>;

const bridgeOf = (file: ComposeFile, name: string): Bridge =>
  Bridge.parse(parse(String(file.services[name]?.environment.SIP_CONFIG_BODY)));

const rangeOf = ({ rtp_port }: Bridge): readonly [number, number] => {
  const [first = 0, last = 0] = rtp_port.split('-').map(Number);
  return [first, last];
};

/** The part of a configuration that both files have to agree about. */
const shared = ({ redis, health_port: _health, sip_port: _sip, nat_1_to_1_ip: _nat, ...rest }: Bridge) =>
  JSON.stringify({ ...rest, redis: { ...redis, address: undefined } });

/**
 * Calls that one dialer may have waiting for an answer, unless it is told otherwise. A bridge takes one even port for a call,
 * and keeps it for half a minute after the end.
 */
const callsOfOneDialer = (processes: readonly Process[]): number => {
  const dialer = processes.find(({ name }) => name === 'outbound-dialer');
  if (dialer === undefined) throw new Error('outbound-dialer is no process');
  return variablesOf(dialer.env)
    .filter(({ name }) => name === 'MAX_CONCURRENT_DIALS' || name === 'MAX_CONCURRENT_CAMPAIGN_CALLS')
    .reduce((sum, { otherwise }) => sum + Number(otherwise), 0);
};

const problemsOfBridge = (
  main: ComposeFile,
  override: ComposeFile,
  name: (typeof bridges)[number],
  calls: number,
): readonly string[] => {
  const usual = bridgeOf(main, name);
  const own = bridgeOf(override, name);
  const [first, last] = rangeOf(own);
  const healthcheck = override.services[name]?.healthcheck ?? main.services[name]?.healthcheck;
  return [
    ...(shared(usual) === shared(own) ? [] : [`configures ${name} unlike docker-compose.yml`]),
    ...(own.nat_1_to_1_ip?.startsWith('${NODE_IP:?')
      ? []
      : [`does not tell ${name} the address of this machine`]),
    ...(healthcheck?.test.some((word) => word.includes(`/127.0.0.1/${own.health_port} `))
      ? []
      : [`asks another port for the health of ${name} than ${own.health_port}`]),
    ...((last - first + 1) / 2 >= calls
      ? []
      : [`has ports for fewer calls of ${name} than one dialer makes, which is ${calls}`]),
  ];
};

const collisions = (file: ComposeFile): readonly string[] => {
  const configured = bridges.map((name) => bridgeOf(file, name));
  const ports = configured.flatMap(({ health_port, sip_port }) => [health_port, sip_port]);
  const [[, last], [first]] = configured.map(rangeOf) as [
    readonly [number, number],
    readonly [number, number],
  ];
  return [
    ...(new Set(ports).size === ports.length ? [] : ['gives one port of the machine to two listeners']),
    ...(last < first ? [] : ['lets the ranges of media ports overlap']),
  ];
};

/** Problems, one sentence each; none when all is well. */
export const checkTelephony = ({
  compose,
  telephony,
  configuration,
  processes,
}: TelephonySubject): readonly string[] => {
  const { file: main } = parseCompose(compose);
  const { file: override, problems } = parseCompose(telephony);
  if (main === undefined || override === undefined) return problems;
  const unknown = Object.keys(override.services).filter((name) => main.services[name] === undefined);
  if (unknown.length > 0) return [`changes services that docker-compose.yml has not: ${unknown.join(', ')}`];
  const calls = callsOfOneDialer(processes);
  return [
    ...bridges.flatMap((name) => problemsOfBridge(main, override, name, calls)),
    ...collisions(override),
    ...Object.values(override.services)
      .flatMap(({ ports }) => ports)
      .filter((port) => !port.startsWith('127.0.0.1:'))
      .map((port) => `binds ${port} beyond loopback`),
    ...[...takenByCompose(telephony).keys()]
      .filter((name) => !configuration.includes(`| \`${name}\` |`))
      .map((name) => `takes ${name}, which is not described in docs/configuration.md`),
  ];
};
