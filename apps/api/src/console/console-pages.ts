import { Controller, UseFilters, UseGuards, applyDecorators } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { WithoutApiKey } from '../auth/api-key.guard.js';
import { ConsoleFilter } from './console.filter.js';
import { ConsoleGuard } from './console.guard.js';

/** A controller of pages for those who are signed in: no part of the API, and no API key opens them. */
export const ConsolePages = (path: string) =>
  applyDecorators(
    Controller(path),
    ApiExcludeController(),
    WithoutApiKey(),
    UseGuards(ConsoleGuard),
    UseFilters(ConsoleFilter),
  );
