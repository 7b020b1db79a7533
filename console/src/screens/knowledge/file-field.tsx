// The file of a source. It goes to the storage at once, and the form gets its key and its name.
import { useFormContext } from 'react-hook-form';
import { ErrorNote } from '../../components/error-note.js';
import { FileDrop } from '../../components/file-drop.js';
import { Progress } from '../../components/status.js';
import { knowledgeStrings as strings } from '../../strings/knowledge.js';
import { useUpload } from './use-upload.js';

const accept = '.html,.htm,.pdf,.docx,.md,.markdown,.csv,.txt';

/** Fills the fields `fileKey` and `fileName` of the form. */
export const FileField = ({
  label,
  isMissing = false,
}: {
  readonly label: string;
  /** The form was sent without a file. */
  readonly isMissing?: boolean;
}) => {
  const upload = useUpload();
  const { setValue, clearErrors, watch } = useFormContext<{ fileKey: string; fileName: string }>();
  const choose = async (file: File): Promise<void> => {
    const dirty = { shouldDirty: true };
    setValue('fileKey', '', dirty);
    setValue('fileName', '', dirty);
    const fileKey = await upload.send(file);
    if (fileKey === undefined) return;
    setValue('fileName', file.name, dirty);
    setValue('fileKey', fileKey, dirty);
    clearErrors();
  };
  return (
    <>
      <FileDrop
        label={label}
        hint={strings.fileHint}
        accept={accept}
        file={upload.file}
        onChoose={(file) => void choose(file)}
        error={upload.problem ?? (isMissing && upload.sent === undefined ? strings.needsFile : undefined)}
      />
      {upload.sent !== undefined && upload.file !== undefined && (
        <Progress name={strings.uploading(upload.file.name)} value={upload.sent} max={upload.file.size} />
      )}
      <p role="status" className="text-ink-soft empty:hidden">
        {watch('fileKey') === '' ? '' : strings.uploaded(watch('fileName'))}
      </p>
      {upload.error !== undefined && <ErrorNote error={upload.error} />}
    </>
  );
};
