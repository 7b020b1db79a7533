// The difference between an earlier version and the one in force, setting by setting.
import { Answered } from '../../../components/answered.js';
import { Button } from '../../../components/button.js';
import { DiffView } from '../../../components/code.js';
import { Dialog, DialogActions } from '../../../components/dialog.js';
import { useOperation } from '../../../data/queries.js';
import { configurationStrings } from '../../../strings/agent-configuration.js';
import { differing, settingText } from '../configuration/values.js';

const strings = configurationStrings.versions;
const settings = Object.keys(configurationStrings.setting).filter((name) => name !== 'variableRows');

export const CompareDialog = ({
  agentId,
  version,
  inForce,
  onClose,
  onRestore,
}: {
  readonly agentId: string;
  readonly version: number;
  readonly inForce: number;
  readonly onClose: () => void;
  /** Undefined where the person may not. */
  readonly onRestore: (() => void) | undefined;
}) => {
  const then = useOperation('agents.getConfigVersion', { params: { agentId, version } });
  const now = useOperation('agents.getConfigVersion', { params: { agentId, version: inForce } });
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={strings.show(version)}
      text={strings.compareHint(version, inForce)}
    >
      <Answered query={then}>
        {(before) => (
          <Answered query={now}>
            {(after) => {
              const [a, b]: readonly Readonly<Record<string, unknown>>[] = [{ ...before }, { ...after }];
              const names = differing(settings, a ?? {}, b ?? {});
              if (names.length === 0) return <p className="text-ink-soft">{strings.same}</p>;
              return names.map((name) => (
                <section key={name} className="flex flex-col gap-1">
                  <h3 className="font-medium">{configurationStrings.setting[name]}</h3>
                  <DiffView before={settingText(a?.[name])} after={settingText(b?.[name])} />
                </section>
              ));
            }}
          </Answered>
        )}
      </Answered>
      <DialogActions>
        <Button onClick={onClose}>{strings.close}</Button>
        {onRestore !== undefined && (
          <Button
            kind="primary"
            onClick={() => {
              onClose();
              onRestore();
            }}
          >
            {strings.restore}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
};
