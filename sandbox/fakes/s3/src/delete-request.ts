// The body of DeleteObjects: the one XML document that this server reads.
import { XMLParser } from 'fast-xml-parser';
import { z } from 'zod';
import { S3Error } from './s3-error.js';

const DeleteRequest = z.object({
  Delete: z.object({
    Quiet: z.string().optional(),
    Object: z
      .array(z.strictObject({ Key: z.string().min(1) }))
      .min(1)
      .max(1000),
  }),
});

const parser = new XMLParser({
  parseTagValue: false,
  trimValues: false,
  htmlEntities: true,
  isArray: (name) => name === 'Object',
});

/** The keys that a DeleteObjects request names. @throws S3Error MalformedXML */
export const parseDelete = (text: string): { keys: string[]; quiet: boolean } => {
  try {
    const { Delete } = DeleteRequest.parse(parser.parse(text, true));
    return { keys: Delete.Object.map(({ Key }) => Key), quiet: Delete.Quiet === 'true' };
  } catch {
    throw new S3Error(
      'MalformedXML',
      'The XML you provided was not well-formed or did not validate against our published schema',
    );
  }
};
