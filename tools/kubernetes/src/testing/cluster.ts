// A cluster on loopback: etcd, the real API server, controllers and scheduler, and nodes that kwok pretends to be.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@parlance/fixtures';
import { stringify } from 'yaml';
import type { Programs } from '../chart/programs.js';
import { stagesFile } from './stages.js';

const run = promisify(execFile);
const token = 'cluster-of-a-test';

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

export interface Answer {
  readonly stdout: string;
  readonly stderr: string;
}

export class Cluster {
  readonly #programs: Programs;
  /** Of its files and logs; gone when it stops. */
  readonly folder = mkdtempSync(join(tmpdir(), 'parlance-kubernetes-'));
  readonly #children: ChildProcess[] = [];

  constructor(programs: Programs) {
    this.#programs = programs;
  }

  /** For files that a test hands to kubectl. */
  file(name: string, content: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, content);
    return path;
  }

  /** @throws Error with the output of kubectl, when it fails */
  async kubectl(...args: readonly string[]): Promise<Answer> {
    return run(this.#programs.kubectl, ['--kubeconfig', this.kubeconfig, ...args], {
      maxBuffer: Number.POSITIVE_INFINITY,
    });
  }

  async start(): Promise<void> {
    const [client, peer, secure] = [await freePort(), await freePort(), await freePort()];
    const [etcdUrl, peerUrl] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`];
    this.#spawn('etcd', this.#programs.etcd, [
      `--data-dir=${join(this.folder, 'etcd')}`,
      `--listen-client-urls=${etcdUrl}`,
      `--advertise-client-urls=${etcdUrl}`,
      `--listen-peer-urls=${peerUrl}`,
      `--initial-advertise-peer-urls=${peerUrl}`,
      `--initial-cluster=default=${peerUrl}`,
      '--unsafe-no-fsync',
    ]);
    const key = this.#writeKeys(secure);
    this.#spawn('api-server', this.#programs.apiServer, [
      `--etcd-servers=${etcdUrl}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${secure}`,
      `--cert-dir=${join(this.folder, 'certificates')}`,
      `--token-auth-file=${join(this.folder, 'tokens.csv')}`,
      '--authorization-mode=RBAC',
      '--service-cluster-ip-range=10.96.0.0/16',
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${key}`,
      `--service-account-signing-key-file=${key}`,
    ]);
    await eventually(() => this.kubectl('get', '--raw', '/readyz'), { timeoutMs: 90_000 });
    this.#startControllers(key);
  }

  /** Path of the file with the cluster's address and credentials for clients. */
  get kubeconfig(): string {
    return join(this.folder, 'kubeconfig');
  }

  #writeKeys(port: number): string {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const key = this.file(
      'service-accounts.key',
      privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    );
    this.file('tokens.csv', `${token},test,test,system:masters\n`);
    this.file(
      'kubeconfig',
      stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'test',
        clusters: [
          {
            name: 'test',
            cluster: { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true },
          },
        ],
        users: [{ name: 'test', user: { token } }],
        contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
      }),
    );
    return key;
  }

  #startControllers(key: string): void {
    const kubeconfig = `--kubeconfig=${this.kubeconfig}`;
    this.#spawn('controllers', this.#programs.controllers, [
      kubeconfig,
      '--leader-elect=false',
      '--secure-port=0',
      `--service-account-private-key-file=${key}`,
      '--horizontal-pod-autoscaler-sync-period=2s',
    ]);
    this.#spawn('scheduler', this.#programs.scheduler, [
      kubeconfig,
      '--leader-elect=false',
      '--secure-port=0',
    ]);
    this.#spawn('kwok', this.#programs.kwok, [
      kubeconfig,
      '--manage-all-nodes=true',
      `--config=${this.file('stages.yaml', stagesFile())}`,
    ]);
  }

  #spawn(name: string, program: string, args: readonly string[]): void {
    const log = openSync(join(this.folder, `${name}.log`), 'a');
    this.#children.push(spawn(program, args, { cwd: this.folder, stdio: ['ignore', log, log] }));
    closeSync(log);
  }

  /** The last lines of a program, for a test that fails. */
  logOf(name: string): string {
    return readFileSync(join(this.folder, `${name}.log`), 'utf8').slice(-4_000);
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.#children.reverse().map(
        (child) =>
          new Promise<void>((resolve) => {
            if (child.exitCode !== null || child.signalCode !== null) return resolve();
            child.once('exit', () => resolve());
            child.kill('SIGKILL');
          }),
      ),
    );
    rmSync(this.folder, { recursive: true, force: true });
  }
}
