// The values of the chart: few, and each with a schema that Helm holds them to.
import { z } from 'zod';
import { platformImage } from '../objects/pods.js';
import type { OverlayFacts } from '../overlays/facts.js';
import { workloads } from '../workloads/table.js';

const lists = z.array(z.record(z.string(), z.unknown()));
const texts = z.record(z.string().regex(/^[A-Z][A-Z0-9_]*$/), z.string());

const Port = z.strictObject({ port: z.int().min(1).max(65_535), protocol: z.enum(['TCP', 'UDP']) });

const unscaled = workloads.filter(({ scaling }) => scaling === undefined);

export const Values = z.strictObject({
  image: z.strictObject({ repository: z.string().min(1), tag: z.string().min(1) }),
  /** Name under which people reach the gateway. */
  host: z.string().min(1),
  ingress: z.strictObject({
    enabled: z.boolean(),
    className: z.string(),
    annotations: z.record(z.string(), z.string()),
    tlsSecretName: z.string().min(1),
  }),
  keda: z.strictObject({ enabled: z.boolean(), prometheus: z.url() }),
  /** Copies of the processes that nothing scales. */
  copies: z.strictObject(Object.fromEntries(unscaled.map(({ name }) => [name, z.int().min(1)]))),
  /** Variables that are no secrets; .env.example describes each. */
  settings: texts,
  /** Where the engines are. */
  engines: texts,
  /** Peers and ports of network policies, by destination. */
  reach: z.record(z.string(), z.strictObject({ to: lists, ports: z.array(Port) })),
  /** Peers outside the platform that may open connections to a process. */
  visits: z.record(z.string(), z.strictObject({ from: lists })),
});
export type Values = z.output<typeof Values>;

/** For Helm, which reads a draft of JSON Schema. */
export const valuesSchema = (): string => {
  const schema = z.toJSONSchema(Values, { target: 'draft-7' });
  // Helm adds the values of parent charts under this name
  const properties = { ...schema.properties, global: { type: 'object' as const } };
  return `${JSON.stringify({ ...schema, properties }, null, 2)}\n`;
};

const [repository = '', tag = ''] = platformImage.split(':');

export const defaultValues = (
  facts: OverlayFacts,
  more: Pick<Values, 'ingress' | 'keda' | 'visits'>,
): Values =>
  Values.parse({
    image: { repository, tag },
    host: facts.host,
    copies: facts.copies,
    settings: facts.settings,
    engines: facts.engines,
    reach: Object.fromEntries(
      Object.entries(facts.reached).map(([name, { to, ports }]) => [
        name,
        { to, ports: ports.map((port) => ({ port, protocol: 'TCP' })) },
      ]),
    ),
    ...more,
  });
