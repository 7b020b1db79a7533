// The graph of requests between services, folded from the `askedBy` of the contract. A cycle means that none of its services can
// be deployed, tested or understood without the others, so it is refused.

/**
 * The arrows of the graph, in order.
 * @param rows of the contract, each with its `service`, and with `askedBy` where other services ask it
 */
export const arrowsOf = (rows) => {
  const arrows = new Map();
  for (const { id, service: to, askedBy = [] } of rows)
    for (const from of askedBy) {
      const arrow = arrows.get(`${from} > ${to}`) ?? { from, to, requests: [] };
      arrow.requests.push(id);
      arrows.set(`${from} > ${to}`, arrow);
    }
  return [...arrows.values()].toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)));
};

const nameOf = ({ from, to }) => `${from} > ${to}`;

/** The services of a shortest way between two of them; undefined where there is none. */
const wayBetween = (arrows, from, to) => {
  const ways = [[from]];
  const seen = new Set([from]);
  for (const way of ways) {
    if (way.at(-1) === to) return way;
    for (const arrow of arrows)
      if (arrow.from === way.at(-1) && !seen.has(arrow.to)) {
        seen.add(arrow.to);
        ways.push([...way, arrow.to]);
      }
  }
  return undefined;
};

/** The arrows that are part of a cycle, each with the way back. */
const arrowsInCycles = (arrows) =>
  arrows.flatMap((arrow) => {
    const back = wayBetween(arrows, arrow.to, arrow.from);
    return back === undefined ? [] : [{ ...arrow, back }];
  });

/** The lines of a list, without comments. */
export const listed = (text) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

/** One sentence for each arrow of a cycle. */
export const graphProblems = (rows) =>
  arrowsInCycles(arrowsOf(rows)).map(
    ({ from, to, requests, back }) =>
      `${from} requests ${requests.join(', ')} of ${to}, which closes a cycle: ${[from, ...back].join(' > ')}`,
  );

const withoutGateway = (rows) =>
  arrowsOf(rows).filter(({ from, to }) => from !== 'gateway' && to !== 'gateway');

/** True for an arrow whose service is not above the one that it requests something of. */
const isUp = ({ from, to }, order) => order.indexOf(from) >= order.indexOf(to);

/**
 * One sentence for each arrow against the order, and for each service that has no place in the order.
 * @param order the services from top to bottom
 */
export const orderProblems = (rows, order) => {
  const arrows = withoutGateway(rows);
  const services = [...new Set(arrows.flatMap(({ from, to }) => [from, to]))].toSorted();
  return [
    ...services
      .filter((service) => order.filter((name) => name === service).length !== 1)
      .map((service) => `tools/check/service-order.txt has to list ${service} once`),
    ...arrows
      .filter((arrow) => isUp(arrow, order))
      .map(
        ({ from, to, requests }) =>
          `${from} requests ${requests.join(', ')} of ${to}, which is not below it in tools/check/service-order.txt`,
      ),
  ];
};

/**
 * One sentence for each request that is answered for processes of a release which no longer runs beside this one.
 * @param releases in their order, this one last
 */
export const formerProblems = (rows, releases) =>
  rows.flatMap(({ id, formerly }) => {
    if (formerly === undefined || releases.slice(-2).includes(formerly.upTo)) return [];
    return releases.includes(formerly.upTo)
      ? [
          `${id} is answered for ${formerly.upTo}, which no longer runs beside this release: remove the request`,
        ]
      : [`${id} is answered for ${formerly.upTo}, which is no release`];
  });

const idOf = (service) => service.replaceAll('-', '_');

/** The graph without the gateway, which asks every service and is asked by none, as a Mermaid flowchart. */
const flowchart = (rows) => {
  const arrows = withoutGateway(rows);
  const isMutual = ({ from, to }) => arrows.some((other) => other.from === to && other.to === from);
  const services = [...new Set(arrows.flatMap(({ from, to }) => [from, to]))].toSorted();
  return [
    '```mermaid',
    'flowchart LR',
    ...services.map((service) => `  ${idOf(service)}[${service}]`),
    ...arrows.flatMap((arrow) => {
      const { from, to } = arrow;
      if (!isMutual(arrow)) return [`  ${idOf(from)} --> ${idOf(to)}`];
      return from < to ? [`  ${idOf(from)} <--> ${idOf(to)}`] : [];
    }),
    '```',
  ].join('\n');
};

const place = /(<!-- generated: requests -->\n)[\s\S]*?(<!-- end -->)/;

/** The page with the graph of the contract in its place. @throws Error for a page without a place */
export const withServiceGraph = (rows, page) => {
  if (!place.test(page)) throw new Error('the page has no place for the graph of requests');
  return page.replace(place, (_, begin, end) => `${begin}\n${flowchart(rows)}\n\n${end}`);
};
