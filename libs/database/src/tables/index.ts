export { findSubject } from './subject-tables.js';
