// The part of gRPC and of Protocol Buffers by which metrics travel, read by hand. So a test holds the bytes to the protocol,
// and no library. The numbers of fields are those of opentelemetry/proto/metrics/v1.
import { gunzipSync } from 'node:zlib';

/** The messages in the body of a gRPC request. Each has a byte for compression, four bytes of length, and its content. */
export const messagesIn = (body: Buffer): readonly Buffer[] => {
  const messages: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const end = at + 5 + body.readUInt32BE(at + 1);
    const message = body.subarray(at + 5, end);
    messages.push(body[at] === 1 ? gunzipSync(message) : message);
    at = end;
  }
  return messages;
};

interface Field {
  readonly number: number;
  readonly bytes: Buffer;
}

const varint = (buffer: Buffer, from: number): readonly [value: number, next: number] => {
  let [value, at] = [0, from];
  for (let factor = 1; ; factor *= 128) {
    const byte = buffer[at] ?? 0;
    value += (byte & 127) * factor;
    at += 1;
    if (byte < 128) return [value, at];
  }
};

/** Fields in their order, with the bytes of their values. */
const fieldsOf = (message: Buffer): readonly Field[] => {
  const fields: Field[] = [];
  for (let at = 0; at < message.length; ) {
    const [tag, start] = varint(message, at);
    const wire = tag & 7;
    let [from, end] = [start, start];
    if (wire === 0) end = varint(message, start)[1];
    else if (wire === 1) end = start + 8;
    else if (wire === 5) end = start + 4;
    else {
      const [length, begin] = varint(message, start);
      [from, end] = [begin, begin + length];
    }
    fields.push({ number: Math.floor(tag / 8), bytes: message.subarray(from, end) });
    at = end;
  }
  return fields;
};

const all = (message: Buffer, number: number): readonly Buffer[] =>
  fieldsOf(message).flatMap((field) => (field.number === number ? [field.bytes] : []));
const only = (message: Buffer, number: number): Buffer => all(message, number)[0] ?? Buffer.alloc(0);

/** KeyValue { key = 1, value = 2 { string_value = 1 } } */
const attributesIn = (pairs: readonly Buffer[]): Record<string, string> =>
  Object.fromEntries(pairs.map((pair) => [only(pair, 1).toString(), only(only(pair, 2), 1).toString()]));

/** NumberDataPoint { as_double = 4, as_int = 6 }, eight bytes each */
const numberIn = (point: Buffer): number => {
  const [double, integer] = [only(point, 4), only(point, 6)];
  return integer.length === 8 ? Number(integer.readBigInt64LE()) : double.readDoubleLE();
};

/** ExportMetricsServiceRequest: the names of the service and of its copy, and all points of sums. */
export const sumsIn = (message: Buffer) => {
  const [resourceMetrics = Buffer.alloc(0)] = all(message, 1);
  const metrics = all(resourceMetrics, 2).flatMap((scope) => all(scope, 2));
  const resource = attributesIn(all(only(resourceMetrics, 1), 1));
  return {
    service: resource['service.name'] ?? '',
    instance: resource['service.instance.id'] ?? '',
    sums: metrics.flatMap((metric) =>
      all(only(metric, 7), 1).map((point) => ({
        name: only(metric, 1).toString(),
        value: numberIn(point),
        attributes: attributesIn(all(point, 7)),
      })),
    ),
  };
};
