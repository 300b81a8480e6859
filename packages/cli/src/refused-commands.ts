import { commandSettings, type ServerConfig } from '@ibench/host';

/**
 * Why a configuration needs --allow-exec: configs are shared between people, and what one runs must not
 * come as a surprise. null: it has the server run nothing.
 */
export function refusedCommands(config: ServerConfig): string | null {
  const found = commandSettings(config);
  if (found.length === 0) return null;
  return `config ${config.name} has the server run commands or load code of its own:\n  ${found.join('\n  ')}\nlook at them, and allow them with --allow-exec`;
}
