//! The one place where a row-major problem becomes the library's column-major one.
//!
//! A row-major matrix read column-major is its transpose. So D = op(A)·op(B) is asked for as
//! Dᵀ = op(B)ᵀ·op(A)ᵀ: the operands change places and keep their transposes, m and n change places, and what the
//! library adds to the rows of its D is added to the columns of ours.

use super::problem::{Matrix, Problem};
use crate::algo::Layouts;
use crate::descriptor::{MatmulDesc, MatrixLayout, Preference};
use crate::error::Result;
use crate::types::ReductionSchemes;

/// The library's layouts: its A is our B and its B our A.
pub(super) fn layouts(problem: &Problem) -> Result<Layouts> {
    let (b_rows, b_cols) = problem.stored_b();
    let (a_rows, a_cols) = problem.stored_a();
    Ok(Layouts {
        a: layout(&problem.b, b_rows, b_cols)?,
        b: layout(&problem.a, a_rows, a_cols)?,
        c: layout(&problem.d, problem.m, problem.n)?,
        d: layout(&problem.d, problem.m, problem.n)?,
    })
}

fn layout(matrix: &Matrix, rows: usize, cols: usize) -> Result<MatrixLayout> {
    let leading_dimension = i64::try_from(matrix.leading_dimension).unwrap_or(i64::MAX);
    MatrixLayout::new(matrix.data_type, cols as u64, rows as u64, leading_dimension)
}

/// The library's descriptor. The bias pointer holds only an address of the planned alignment, which is all that
/// heuristics read of it.
pub(super) fn descriptor(problem: &Problem) -> Result<MatmulDesc> {
    let mut desc = MatmulDesc::new(problem.compute, problem.scale_type)?;
    desc.set_transa(problem.transpose_b)?;
    desc.set_transb(problem.transpose_a)?;
    desc.set_epilogue(problem.epilogue)?;
    if let Some(bias) = problem.bias {
        desc.set_bias_data_type(bias.data_type)?;
        let address = std::ptr::without_provenance(bias.alignment as usize);
        // SAFETY: a run sets the real pointer before any work is queued; until then the address is only looked at.
        unsafe { desc.set_bias_pointer(address) }?;
    }
    Ok(desc)
}

/// The library's preference: alignments in its order, the largest workspace, the allowed reductions.
pub(super) fn preference(
    problem: &Problem,
    workspace_limit: usize,
    reductions: ReductionSchemes,
) -> Result<Preference> {
    let mut preference = Preference::new()?;
    preference.set_reduction_scheme_mask(reductions)?;
    preference.set_max_workspace_bytes(workspace_limit as u64)?;
    preference.set_min_alignment_a_bytes(problem.b.alignment)?;
    preference.set_min_alignment_b_bytes(problem.a.alignment)?;
    preference.set_min_alignment_c_bytes(problem.d.alignment)?;
    preference.set_min_alignment_d_bytes(problem.d.alignment)?;
    Ok(preference)
}
