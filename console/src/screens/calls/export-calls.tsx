// The calls that the filters leave, as a file for a spreadsheet.
import { Download } from 'lucide-react';
import { useState } from 'react';
import { Guarded } from '../../app/permission.js';
import { useTimeZone } from '../../app/session.js';
import { Button } from '../../components/button.js';
import { CopyAsCurl } from '../../components/copy-as-curl.js';
import { toast } from '../../components/toasts.js';
import { downloadCalls } from '../../data/download.js';
import { callStrings as strings } from '../../strings/calls.js';
import { bytesText } from '../../strings/format.js';
import { type CallsSearch, isBackwards, queryOf } from './calls-search.js';

const fileName = 'calls.csv';

export const ExportCalls = ({ filters }: { readonly filters: CallsSearch }) => {
  const timeZone = useTimeZone();
  const [bytes, setBytes] = useState<number>();
  const run = async (): Promise<void> => {
    setBytes(0);
    try {
      await downloadCalls(queryOf(filters, timeZone), fileName, setBytes);
      toast.done(strings.exportDone(fileName));
    } catch (error) {
      toast.failure(error);
    } finally {
      setBytes(undefined);
    }
  };
  return (
    <>
      <Guarded operation="calls.export" reason={isBackwards(filters) ? strings.backwards : undefined}>
        <Button
          busy={bytes !== undefined}
          icon={<Download aria-hidden className="size-4" />}
          onClick={() => void run()}
        >
          {bytes === undefined || bytes === 0 ? strings.export : strings.exporting(bytesText(bytes))}
        </Button>
      </Guarded>
      {!isBackwards(filters) && (
        <CopyAsCurl operation="calls.export" parts={() => ({ query: queryOf(filters, timeZone) })} />
      )}
    </>
  );
};
