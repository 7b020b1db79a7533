// Turning the second factor on and off, and making new backup codes.
import { useState } from 'react';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { CodeBlock } from '../../components/code.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { StatusBadge } from '../../components/status.js';
import { toast } from '../../components/toasts.js';
import { invalidate } from '../../data/queries.js';
import type { DataOf } from '../../data/types.js';
import { useContractForm } from '../../forms/contract-form.js';
import { TextField } from '../../forms/fields.js';
import { Form } from '../../forms/form.js';
import { accountStrings as strings } from '../../strings/account.js';
import { QrCode } from './qr-code.js';

type Enrolment = DataOf<'auth.twoFactorEnable'>;

/** A question that takes the password; asked anew at each opening. */
const PasswordQuestion = <
  Id extends 'auth.twoFactorEnable' | 'auth.twoFactorDisable' | 'auth.twoFactorGenerateBackupCodes',
>({
  operation,
  label,
  onDone,
}: {
  readonly operation: Id;
  readonly label: string;
  readonly onDone: (data: DataOf<Id>) => unknown;
}) => {
  const form = useContractForm(operation, {
    values: { password: '' },
    invalidates: [],
    onDone: ({ data }) => onDone(data),
  });
  return (
    <Form of={form} guards={false} submitLabel={label}>
      <TextField
        name="password"
        type="password"
        label={strings.passwordFirst}
        autoComplete="current-password"
      />
    </Form>
  );
};

const BackupCodes = ({
  codes,
  onKept,
}: {
  readonly codes: readonly string[];
  readonly onKept: () => void;
}) => (
  <div className="flex flex-col gap-4">
    <p>{strings.backupText}</p>
    <CodeBlock code={codes.join('\n')} name={strings.backupCodes} />
    <DialogActions>
      <Button kind="primary" onClick={onKept}>
        {strings.kept}
      </Button>
    </DialogActions>
  </div>
);

const FirstCode = ({ enrolment, onDone }: { readonly enrolment: Enrolment; readonly onDone: () => void }) => {
  const form = useContractForm('auth.twoFactorVerifyTotp', { values: { code: '' }, invalidates: [], onDone });
  const secret = new URL(enrolment.totpURI).searchParams.get('secret') ?? '';
  return (
    <div className="flex flex-col gap-4">
      <p>{strings.scan}</p>
      <QrCode text={enrolment.totpURI} name={strings.qrName} />
      <p className="text-xs text-ink-soft">{strings.byHand}</p>
      <CodeBlock code={secret} name={strings.qrName} />
      <Form of={form} guards={false} submitLabel={strings.finish}>
        <TextField name="code" label={strings.code} inputMode="numeric" autoComplete="one-time-code" mono />
      </Form>
    </div>
  );
};

const Enrolling = ({
  enrolment,
  onEnrolment,
  onClose,
}: {
  /** Begun already, maybe before the dialog was closed: the code that an app has read stays good. */
  readonly enrolment: Enrolment | undefined;
  readonly onEnrolment: (begun: Enrolment | undefined) => void;
  readonly onClose: () => void;
}) => {
  const [isOn, setOn] = useState(false);
  const finish = (): void => {
    toast.done(strings.turnedOn);
    onEnrolment(undefined);
    void invalidate('auth.');
    onClose();
  };
  return (
    <Dialog open onClose={isOn ? finish : onClose} closable={!isOn} isOnce={isOn} title={strings.turnOnTitle}>
      {enrolment === undefined && (
        <PasswordQuestion operation="auth.twoFactorEnable" label={strings.next} onDone={onEnrolment} />
      )}
      {enrolment !== undefined && !isOn && <FirstCode enrolment={enrolment} onDone={() => setOn(true)} />}
      {enrolment !== undefined && isOn && <BackupCodes codes={enrolment.backupCodes} onKept={finish} />}
    </Dialog>
  );
};

const Renewing = ({ onClose }: { readonly onClose: () => void }) => {
  const [codes, setCodes] = useState<readonly string[]>();
  return (
    <Dialog
      open
      onClose={onClose}
      closable={codes === undefined}
      isOnce={codes !== undefined}
      title={strings.newBackupTitle}
      text={strings.newBackupText}
    >
      {codes === undefined ? (
        <PasswordQuestion
          operation="auth.twoFactorGenerateBackupCodes"
          label={strings.newBackup}
          onDone={({ backupCodes }) => setCodes(backupCodes)}
        />
      ) : (
        <BackupCodes codes={codes} onKept={onClose} />
      )}
    </Dialog>
  );
};

const Ending = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog open onClose={onClose} title={strings.turnOffTitle} text={strings.turnOffText}>
    <PasswordQuestion
      operation="auth.twoFactorDisable"
      label={strings.turnOff}
      onDone={() => {
        toast.done(strings.turnedOff);
        void invalidate('auth.');
        onClose();
      }}
    />
  </Dialog>
);

type Asked = 'enroll' | 'renew' | 'end';

export const SecondFactorCard = ({ isOn }: { readonly isOn: boolean }) => {
  const [asked, setAsked] = useState<Asked>();
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const close = (): void => setAsked(undefined);
  return (
    <Card
      title={strings.secondFactor}
      actions={
        <StatusBadge tone={isOn ? 'good' : 'attention'}>{isOn ? strings.on : strings.off}</StatusBadge>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-ink-soft">{isOn ? strings.secondFactorOn : strings.secondFactorOff}</p>
        <div className="flex flex-wrap gap-2">
          {isOn ? (
            <>
              <Button onClick={() => setAsked('renew')}>{strings.newBackup}</Button>
              <Button kind="danger" onClick={() => setAsked('end')}>
                {strings.turnOff}
              </Button>
            </>
          ) : (
            <Button kind="primary" onClick={() => setAsked('enroll')}>
              {strings.turnOn}
            </Button>
          )}
        </div>
      </div>
      {asked === 'enroll' && <Enrolling enrolment={enrolment} onEnrolment={setEnrolment} onClose={close} />}
      {asked === 'renew' && <Renewing onClose={close} />}
      {asked === 'end' && <Ending onClose={close} />}
    </Card>
  );
};
