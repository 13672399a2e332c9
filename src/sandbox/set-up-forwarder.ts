import type Docker from 'dockerode';
import { SandboxError } from '../domain/errors.ts';
import type { SandboxSpec } from '../domain/ports/sandbox-host.ts';
import { COMMAND_USER, containerOptions, type KernelOptions } from './container-options.ts';
import { runInContainer } from './engine-exec.ts';
import type { SandboxLimits } from './limits.ts';
import { type SetUpProxy, SOCKET } from './set-up-proxy.ts';

const PORT = 39_128;
const MOUNTED = '/run/fathom-proxy';

/*
 * Set-up shares this container's network, which has a loopback interface and nothing else, so that nothing on it leads
 * anywhere but here: not to the host, another container, a metadata service, or a name server. Perl is in every Debian.
 */
const FORWARDER = `use strict; use IO::Socket::INET; use IO::Socket::UNIX; use IO::Select;
my ($port, $socket, $life) = @ARGV;
$SIG{CHLD} = 'IGNORE'; $SIG{PIPE} = 'IGNORE'; alarm $life;
my $door = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $port, Listen => 256) or die "listen: $!";
while (1) {
  my $near = $door->accept or next;
  if (fork) { close $near; next }
  close $door;
  my $far = IO::Socket::UNIX->new(Peer => $socket) or exit 1;
  my %other = (fileno($near) => $far, fileno($far) => $near);
  my $open = IO::Select->new($near, $far);
  while ($open->count) {
    for my $from ($open->can_read) {
      my $to = $other{fileno $from};
      my $read = sysread($from, my $bytes, 65536);
      if (!$read) { $open->remove($from); shutdown($to, 1); next }
      for (my $at = 0; $at < $read;) { $at += syswrite($to, $bytes, $read - $at, $at) || exit 0 }
    }
  }
  exit 0;
}`;

/** The options of the container whose network a set-up shares. It sees the proxy's socket; the set-up does not. */
export function forwarderOptions(
  spec: SandboxSpec,
  image: string,
  proxy: Pick<SetUpProxy, 'folder'>,
  limits: SandboxLimits,
  kernel: KernelOptions,
): Docker.ContainerCreateOptions {
  const mount = { kind: 'bind', source: proxy.folder, target: MOUNTED, readOnly: true } as const;
  const own: SandboxSpec = {
    run: spec.run,
    purpose: `${spec.purpose}-way-out`,
    image,
    mounts: [mount],
    workdir: '/',
    network: 'none',
  };
  const command = ['perl', '-e', FORWARDER, String(PORT), `${MOUNTED}/${SOCKET}`, String(limits.lifeSeconds)];
  return { ...containerOptions(own, limits, kernel), Cmd: command };
}

export const forwarderFailure = (image: string, cause: SandboxError): SandboxError =>
  new SandboxError(
    `a set-up's way out cannot be started: ${cause.message}`,
    `The image ${image} needs perl; FATHOM_SETUP_NETWORK=none does without set-ups' network.`,
    { cause },
  );

const CHECK = `for i in {1..25}; do (exec 3<>/dev/tcp/127.0.0.1/${PORT}) 2>/dev/null && exit 0; sleep 0.2; done; exit 1`;

/**
 * Other runtimes than the engine's usual one may give each container a loopback interface of its own, whatever network it
 * is to share. @throws SandboxError where the set-up's `container` does not reach the forwarder.
 */
export async function checkForwarder(container: Docker.Container): Promise<void> {
  const { exitCode } = await runInContainer(container, { argv: ['bash', '-c', CHECK], user: COMMAND_USER }, 15);
  if (exitCode === 0) return;
  throw new SandboxError(
    "a set-up does not reach Fathom's proxy: its container has a loopback interface of its own",
    "Give gVisor the argument --network=host where the engine's daemon.json names it, or choose FATHOM_SETUP_NETWORK=none.",
  );
}

const ADDRESS = `http://127.0.0.1:${PORT}`;
const NAMES = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'YARN_HTTP_PROXY', 'YARN_HTTPS_PROXY'];
const NEAR = ['localhost', '127.0.0.1', '::1'];
const JAVA = ['http', 'https'].flatMap((scheme) => [
  `-D${scheme}.proxyHost=127.0.0.1`,
  `-D${scheme}.proxyPort=${PORT}`,
]);

/** By these, programs find the proxy. They are given to commands, and never to the container, which an image would keep. */
export const PROXY_VARIABLES: Record<string, string> = {
  ...Object.fromEntries(NAMES.map((name) => [name, ADDRESS])),
  no_proxy: NEAR.join(','),
  NO_PROXY: NEAR.join(','),
  NODE_USE_ENV_PROXY: '1',
  // Maven looks at the Java machine's proxy only when it is told to.
  JAVA_TOOL_OPTIONS: [...JAVA, '-Daether.connector.http.useSystemProperties=true'].join(' '),
};
