// The services' log lines would stand between those of a command. The logger reads this when it is imported: before it.
process.env.POWERTOOLS_LOG_LEVEL ??= 'SILENT';
process.env.POWERTOOLS_SERVICE_NAME ??= 'mailroom';
