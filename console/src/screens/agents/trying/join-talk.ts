// The steps into a conversation by voice. A person who leaves between two of them begins nothing that costs. Pure but for its steps.

interface Steps<Microphone, Session, Channel> {
  /** True once the person has left this beginning. */
  readonly isLeft: () => boolean;
  /** The browser asks for the microphone before a room is opened: a refusal costs nothing. */
  readonly microphone: () => Promise<Microphone>;
  readonly open: () => Promise<Session>;
  readonly connect: (session: Session, microphone: Microphone) => Promise<Channel>;
}

/** @returns undefined where the person has left, with nothing left open */
export const joinTalk = async <
  Microphone extends { stop(): void },
  Session,
  Channel extends { close(): unknown },
>({
  isLeft,
  microphone,
  open,
  connect,
}: Steps<Microphone, Session, Channel>): Promise<Channel | undefined> => {
  const heard = await microphone();
  try {
    const channel = isLeft() ? undefined : await connect(await open(), heard);
    if (channel !== undefined && !isLeft()) return channel;
    channel?.close();
  } catch (failure) {
    heard.stop();
    throw failure;
  }
  heard.stop();
  return undefined;
};
