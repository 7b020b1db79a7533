// Two people changed one version: shows the differences, and a way on that loses no text.
import { Button } from '../../../components/button.js';
import { DiffView } from '../../../components/code.js';
import { Dialog, DialogActions } from '../../../components/dialog.js';
import { configurationStrings as strings } from '../../../strings/agent-configuration.js';
import { type ConfigurationValues, type Merge, settingText } from './values.js';

const named = (names: readonly string[]): string =>
  names.length === 0 ? strings.nothing : names.map((name) => strings.setting[name] ?? name).join(', ');

export const ConflictDialog = ({
  mine,
  theirs,
  merge,
  onMerge,
  onDrop,
  onClose,
}: {
  readonly mine: ConfigurationValues;
  readonly theirs: ConfigurationValues;
  readonly merge: Merge;
  readonly onMerge: () => void;
  readonly onDrop: () => void;
  readonly onClose: () => void;
}) => {
  const partOf = (values: ConfigurationValues, name: string): unknown =>
    (values as unknown as Readonly<Record<string, unknown>>)[name]; // names are those of the values
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={strings.conflictTitle}
      text={strings.conflictText(theirs.expectedVersion)}
    >
      <dl className="grid gap-3 sm:grid-cols-2">
        <div>
          <dt className="text-xs text-ink-soft">{strings.theyChanged}</dt>
          <dd>{named(merge.theirs)}</dd>
        </div>
        <div>
          <dt className="text-xs text-ink-soft">{strings.youChanged}</dt>
          <dd>{named(merge.mine)}</dd>
        </div>
      </dl>
      {merge.both.length > 0 && <p className="text-xs text-ink-soft">{strings.legend}</p>}
      {merge.both.map((name) => (
        <section key={name} className="flex flex-col gap-1">
          <h3 className="font-medium">{strings.bothChanged(strings.setting[name] ?? name)}</h3>
          <DiffView before={settingText(partOf(theirs, name))} after={settingText(partOf(mine, name))} />
        </section>
      ))}
      <p className="text-ink-soft">{strings.bringTogetherHint}</p>
      <DialogActions>
        <Button kind="danger" onClick={onDrop}>
          {strings.takeTheirs}
        </Button>
        <Button kind="primary" onClick={onMerge}>
          {strings.bringTogether}
        </Button>
      </DialogActions>
    </Dialog>
  );
};
