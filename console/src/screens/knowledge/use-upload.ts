// Brings a file to the storage of the platform, before a source is made of it.
import { useEffect, useRef, useState } from 'react';
import { useCommand } from '../../data/commands.js';
import { Choices, FileRefused, mostBytesOf, uploadFile, uploadQuery } from '../../data/file-upload.js';
import { bytesText } from '../../strings/format.js';
import { knowledgeStrings as strings } from '../../strings/knowledge.js';

export interface Upload {
  /** The key by which a source names the file. Undefined when another was chosen, or it did not arrive: `problem` or `error` tells why. */
  readonly send: (file: File) => Promise<string | undefined>;
  readonly file: File | undefined;
  /** Bytes that have gone; undefined while nothing is sent. */
  readonly sent: number | undefined;
  readonly problem: string | undefined;
  readonly error: unknown;
}

const typeOf = (file: File): string => (file.type === '' ? 'application/octet-stream' : file.type);

export const useUpload = (): Upload => {
  const address = useCommand('knowledge.uploadUrl', { invalidates: [] });
  const [file, setFile] = useState<File>();
  const [sent, setSent] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const [error, setError] = useState<unknown>();
  const choices = useRef(new Choices());
  useEffect(() => {
    const all = choices.current;
    return () => all.end();
  }, []);
  const send = async (chosen: File): Promise<string | undefined> => {
    const signal = choices.current.next();
    setFile(chosen);
    setProblem(undefined);
    setError(undefined);
    setSent(0);
    try {
      const contentType = typeOf(chosen);
      const { data } = await address.mutateAsync({ query: uploadQuery(chosen, contentType) });
      if (signal.aborted) return undefined;
      if (chosen.size > data.maxBytes) {
        setProblem(strings.tooLarge(bytesText(data.maxBytes)));
        return undefined;
      }
      await uploadFile(data.uploadUrl, chosen, contentType, setSent, signal);
      return signal.aborted ? undefined : data.fileKey;
    } catch (failure) {
      if (signal.aborted) return undefined;
      const most = mostBytesOf(failure);
      if (most !== undefined) setProblem(strings.tooLarge(bytesText(most)));
      else if (failure instanceof FileRefused) setProblem(strings.refused);
      else setError(failure);
      return undefined;
    } finally {
      if (!signal.aborted) setSent(undefined);
    }
  };
  return { send, file, sent, problem, error };
};
