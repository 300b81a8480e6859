import type { ServerConfig } from '../config/resolve-config.ts';

/** Settings whose value the server gives to a shell. */
const COMMANDS = new Set([
  'archive_cleanup_command',
  'archive_command',
  'recovery_end_command',
  'restore_command',
  'ssl_passphrase_command',
]);

/** Settings that name files of code which the server loads. */
const LIBRARIES = new Set([
  'archive_library',
  'dynamic_library_path',
  'extension_control_path',
  'jit_provider',
  'local_preload_libraries',
  'oauth_validator_libraries',
  'session_preload_libraries',
  'shared_preload_libraries',
]);

/**
 * The settings of a config that make the server run what the config's author wrote: commands, and
 * libraries by their path. A library by its name alone comes from the build, and the build is trusted.
 *
 * @returns for each, where it is and what it would run
 */
export function commandSettings({ settings }: Pick<ServerConfig, 'settings'>): string[] {
  return settings
    .filter(({ name, value }) =>
      COMMANDS.has(name)
        ? value.trim() !== ''
        : LIBRARIES.has(name) && value.replaceAll('$libdir', '').includes('/'),
    )
    .map(({ name, value, origin }) => `${name} (${origin}): ${value}`);
}
