/** Outside of the checkout and of the home folder, both of which later containers have anew. */
export const TOOLS = '/var/lib/fathom';

/** Folders of the checkout that a set-up filled and that tests need in it. */
export const KEPT_FOLDERS = `${TOOLS}/checkout`;

/** Where languages keep what they install or compile for all projects; the same for set-up and for everything after. */
const TOOL_FOLDERS = {
  GOMODCACHE: `${TOOLS}/go/mod`,
  CARGO_HOME: `${TOOLS}/cargo`,
  GRADLE_USER_HOME: `${TOOLS}/gradle`,
  MAVEN_ARGS: `-Dmaven.repo.local=${TOOLS}/maven`,
  NUGET_PACKAGES: `${TOOLS}/nuget`,
};

/** Installing goes to the image's own folders, asks nothing, and gives up soon where there is no network. */
export const SET_UP_VARIABLES: Record<string, string> = {
  ...TOOL_FOLDERS,
  APT_CONFIG: `${TOOLS}/apt.conf`,
  CI: 'true',
  COMPOSER_ALLOW_SUPERUSER: '1',
  COMPOSER_NO_INTERACTION: '1',
  PIP_BREAK_SYSTEM_PACKAGES: '1',
  PIP_DEFAULT_TIMEOUT: '20',
  PIP_RETRIES: '2',
  PIP_ROOT_USER_ACTION: 'ignore',
  npm_config_fetch_retries: '1',
  npm_config_fetch_retry_maxtimeout: '10000',
  npm_config_fetch_timeout: '60000',
  npm_config_update_notifier: 'false',
};

/**
 * For containers without a network: tools that would fetch what is missing are told at once that they cannot, where they
 * would otherwise try for minutes (npx: 74 seconds).
 */
export const OFFLINE_VARIABLES: Record<string, string> = {
  ...TOOL_FOLDERS,
  CARGO_NET_OFFLINE: 'true',
  COREPACK_ENABLE_NETWORK: '0',
  GOPROXY: 'off',
  GOTOOLCHAIN: 'local',
  PIP_NO_INDEX: '1',
  npm_config_offline: 'true',
  npm_config_update_notifier: 'false',
};
