// The sizes of the widget's files, as the gateway sends them.

/** Bytes on the wire, by the encoding that was asked for. */
export interface Size {
  readonly file: string;
  readonly when: string;
  readonly plain: number;
  readonly gzip: number;
  readonly brotli: number;
}

/** The bytes of an answer with this `Accept-Encoding`. The header gives the length, because fetch unpacks the answer. */
const bytesOf = async (url: string, encoding: string): Promise<number> => {
  const response = await fetch(url, { headers: { 'accept-encoding': encoding } });
  await response.arrayBuffer();
  const length = Number(response.headers.get('content-length'));
  if (!response.ok || !(length > 0)) throw new Error(`${url} answers ${response.status} without a length`);
  return length;
};

/** @param files path and moment of each file */
export const sizesOf = (
  url: string,
  files: readonly (readonly [path: string, when: string])[],
): Promise<Size[]> =>
  Promise.all(
    files.map(async ([path, when]) => {
      const sizeAs = (encoding: string): Promise<number> => bytesOf(`${url}${path}`, encoding);
      const [plain, gzip, brotli] = await Promise.all([sizeAs('identity'), sizeAs('gzip'), sizeAs('br')]);
      return { file: path.split('/').at(-1) ?? path, when, plain, gzip, brotli };
    }),
  );
