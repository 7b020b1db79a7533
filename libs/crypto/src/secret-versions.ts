// The binding of the sealed value of a secret. The service that seals a secret and the processes that open it share it.

export interface SecretVersion {
  readonly organizationId: string;
  readonly secretId: string;
  readonly version: number;
}

/** A value that was copied to another organization, secret or version does not open there. */
export const secretBinding = ({ organizationId, secretId, version }: SecretVersion): string =>
  JSON.stringify(['secret', organizationId, secretId, version]);
