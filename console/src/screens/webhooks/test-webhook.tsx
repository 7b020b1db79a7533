// Sends a test message to a webhook, and shows the answer.
import type { WebhookTestResult } from '@parlance/client';
import { useState } from 'react';
import { CodeBlock } from '../../components/code.js';
import { Dialog } from '../../components/dialog.js';
import { Notice } from '../../components/status.js';
import { useList } from '../../data/queries.js';
import { SelectField } from '../../forms/choice-fields.js';
import { useContractForm } from '../../forms/contract-form.js';
import { TextField } from '../../forms/fields.js';
import { Form } from '../../forms/form.js';
import { durationText } from '../../strings/format.js';
import { webhookStrings as strings } from '../../strings/webhooks.js';

const Result = ({ result }: { readonly result: WebhookTestResult }) => {
  const { delivered, origin, statusCode, durationMs, problem, answer } = result;
  const facts = [
    statusCode === null ? strings.noAnswer : strings.status(statusCode),
    durationText(durationMs),
  ].join(', ');
  return (
    <div role="status" className="flex flex-col gap-2">
      <Notice tone={delivered ? 'good' : 'bad'}>
        <p className="font-medium">{delivered ? strings.testArrived(origin) : strings.testFailed(origin)}</p>
        {problem !== null && <p>{problem.text}</p>}
        <p>{facts}</p>
      </Notice>
      {answer !== null &&
        (answer === '' ? (
          <p className="text-ink-soft">{strings.emptyAnswer}</p>
        ) : (
          <CodeBlock code={answer} name={strings.testAnswer} />
        ))}
    </div>
  );
};

export const TestWebhook = ({ onClose }: { readonly onClose: () => void }) => {
  const agents = useList('agents.list', {});
  const [result, setResult] = useState<WebhookTestResult>();
  const form = useContractForm('webhooks.test', {
    values: { agentId: undefined as string | undefined, url: undefined as string | undefined },
    invalidates: [],
    onDone: ({ data }) => setResult(data),
  });
  return (
    <Dialog open onClose={onClose} title={strings.testTitle} text={strings.testText}>
      <Form of={form} guards={false} submitLabel={strings.testAction}>
        <SelectField
          name="agentId"
          label={strings.agent}
          empty={undefined}
          emptyLabel={strings.chooseAgent}
          choices={(agents.rows ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        />
        <TextField
          name="url"
          label={strings.url}
          hint={strings.urlHint}
          type="url"
          empty={undefined}
          optional
        />
      </Form>
      {result !== undefined && <Result result={result} />}
    </Dialog>
  );
};
