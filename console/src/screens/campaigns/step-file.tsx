// First step: who calls, from which number, and the file with the people.
import { isApiError } from '@parlance/client';
import { useEffect, useRef, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { ButtonLink } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { ErrorNote } from '../../components/error-note.js';
import { FileDrop } from '../../components/file-drop.js';
import { Notice, Progress } from '../../components/status.js';
import { useCommand } from '../../data/commands.js';
import { Choices, FileRefused, mostBytesOf, uploadFile, uploadQuery } from '../../data/file-upload.js';
import { useList } from '../../data/queries.js';
import { SelectField } from '../../forms/choice-fields.js';
import { TextField } from '../../forms/fields.js';
import { wizardStrings as strings } from '../../strings/campaign-wizard.js';
import { bytesText } from '../../strings/format.js';
import type { CampaignValues } from './wizard-values.js';

const typeOf = (name: string): string =>
  /\.csv$/i.test(name) ? 'text/csv' : 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** The way out for the person; undefined for an answer of the interface, which has its own words. */
const sentenceFor = (failure: unknown): string | undefined => {
  if (failure instanceof FileRefused && failure.status > 0) return strings.uploadFailed(failure.status);
  return isApiError(failure) ? undefined : strings.uploadBroken;
};

const Upload = () => {
  const form = useFormContext<CampaignValues>();
  const address = useCommand('outboundCalls.batchUploadUrl', { invalidates: [] });
  const [file, setFile] = useState<File>();
  /** Bytes that have gone; undefined while no file is on its way. */
  const [sent, setSent] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const [failure, setFailure] = useState<unknown>();
  const uploaded = form.watch('sourceFileName');
  const fault = form.formState.errors.sourceFileKey === undefined ? undefined : strings.fileNeeded;

  const choices = useRef(new Choices());
  useEffect(() => {
    const all = choices.current;
    return () => all.end();
  }, []);

  const send = async (chosen: File, signal: AbortSignal): Promise<void> => {
    const contentType = typeOf(chosen.name);
    const { data } = await address.mutateAsync({ query: uploadQuery(chosen, contentType) });
    if (signal.aborted) return;
    if (data.maxBytes !== undefined && chosen.size > data.maxBytes) {
      setProblem(strings.fileTooLarge(bytesText(data.maxBytes)));
      return;
    }
    await uploadFile(data.uploadUrl, chosen, contentType, setSent, signal);
    if (signal.aborted) return;
    const isMissed = form.getFieldState('sourceFileKey').error !== undefined;
    const options = { shouldDirty: true, shouldValidate: isMissed };
    form.setValue('sourceFileName', chosen.name, options);
    form.setValue('sourceFileKey', data.sourceFileKey, options);
  };
  const choose = async (chosen: File): Promise<void> => {
    const signal = choices.current.next();
    setFile(chosen);
    setFailure(undefined);
    setProblem(undefined);
    setSent(undefined);
    // The file before goes with the choice: a campaign is checked and started with one file. Another file has other columns.
    const options = { shouldDirty: true };
    form.setValue('sourceFileKey', '', options);
    form.setValue('sourceFileName', '', options);
    form.setValue('columns', { phoneNumber: '', name: '', variables: {} }, options);
    if (!/\.(csv|xlsx)$/i.test(chosen.name)) {
      setProblem(strings.fileType);
      return;
    }
    setSent(0);
    try {
      await send(chosen, signal);
    } catch (error) {
      if (signal.aborted) return;
      const most = mostBytesOf(error);
      setProblem(most === undefined ? sentenceFor(error) : strings.fileTooLarge(bytesText(most)));
      if (isApiError(error) && most === undefined) setFailure(error);
    } finally {
      if (!signal.aborted) setSent(undefined);
    }
  };
  return (
    <div className="flex flex-col gap-2">
      <FileDrop
        label={strings.file}
        hint={strings.fileHint}
        accept=".csv,.xlsx"
        file={file}
        error={problem ?? (sent === undefined ? fault : undefined)}
        onChoose={(chosen) => void choose(chosen)}
      />
      {sent !== undefined && file !== undefined && (
        <Progress name={strings.uploading(file.name)} value={sent} max={file.size} />
      )}
      <p role="status" className="text-ink-soft">
        {sent !== undefined && file !== undefined && strings.uploading(file.name)}
        {sent === undefined && problem === undefined && uploaded !== '' && strings.uploaded(uploaded)}
      </p>
      {failure !== undefined && <ErrorNote error={failure} />}
    </div>
  );
};

export const StepFile = () => {
  const agents = useList('agents.list', {});
  const numbers = useList('numbers.list', {});
  const canCall = agents.rows?.filter(({ isActive, configVersion }) => isActive && configVersion !== null);
  const active = numbers.rows?.filter(({ status }) => status === 'active');
  return (
    <Card>
      <div className="flex flex-col gap-4">
        {agents.error !== null && <ErrorNote error={agents.error} retry={() => void agents.refresh()} />}
        {numbers.error !== null && <ErrorNote error={numbers.error} retry={() => void numbers.refresh()} />}
        <TextField name="name" label={strings.name} hint={strings.nameHint} />
        {canCall?.length === 0 ? (
          <Notice tone="attention">
            <p className="mb-2">{strings.noAgent}</p>
            <ButtonLink to="/agents">{strings.toAgents}</ButtonLink>
          </Notice>
        ) : (
          <SelectField
            name="agentId"
            label={strings.agent}
            hint={strings.agentHint}
            empty=""
            emptyLabel={strings.choose}
            choices={(canCall ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
        {active?.length === 0 ? (
          <Notice tone="attention">
            <p className="mb-2">{strings.noNumber}</p>
            <ButtonLink to="/numbers/buy">{strings.toNumbers}</ButtonLink>
          </Notice>
        ) : (
          <SelectField
            name="fromNumber"
            label={strings.from}
            hint={strings.fromHint}
            empty=""
            emptyLabel={strings.choose}
            choices={(active ?? []).map(({ phoneNumber }) => ({ value: phoneNumber, label: phoneNumber }))}
          />
        )}
        <Upload />
      </div>
    </Card>
  );
};
