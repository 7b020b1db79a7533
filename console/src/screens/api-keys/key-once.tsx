// A new key, shown this one time. Neither Escape nor a click beside it closes the dialog.
import { Button } from '../../components/button.js';
import { CodeBlock } from '../../components/code.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { baseUrl } from '../../data/client.js';
import { apiKeyStrings as strings } from '../../strings/api-keys.js';

export const KeyOnce = ({ value, onKept }: { readonly value: string; readonly onKept: () => void }) => (
  <Dialog open onClose={onKept} closable={false} isOnce title={strings.onceTitle} text={strings.onceText}>
    <CodeBlock code={value} name={strings.onceKey} />
    <div>
      <p className="mb-1 text-xs text-ink-soft">{strings.onceTry}</p>
      <CodeBlock
        name={strings.onceTry}
        code={`export PARLANCE_API_KEY='${value}'\ncurl -s ${baseUrl}/caller -H "x-api-key: $PARLANCE_API_KEY"`}
      />
    </div>
    <DialogActions>
      <Button kind="primary" onClick={onKept}>
        {strings.onceKept}
      </Button>
    </DialogActions>
  </Dialog>
);
